// The search field of a page, in the browser. The index is fetched when the field gets the focus.
import { ask } from './ask.js';

const RESULTS = 8;

const form = document.querySelector('form[role="search"]');
const input = form.querySelector('input');
const found = form.querySelector('.found');

const element = (name, text) => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};

function row({ id, title, heading, snippet }) {
  const words = element('small', '');
  words.append(...snippet.map(({ text, isFound }) => (isFound ? element('mark', text) : text)));
  const link = document.createElement('a');
  link.href = id;
  link.append(element('span', heading === title ? title : `${title}: ${heading}`), words);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

async function show() {
  const words = input.value.trim();
  const answer = await ask(words, RESULTS);
  if (input.value.trim() !== words) return;
  const rows = answer.map(row);
  found.replaceChildren(...(rows.length > 0 ? rows : [element('li', 'Nothing found')]));
  found.hidden = words === '';
}

/** The arrow keys move between the field and the results. */
function move(event) {
  if (event.key === 'Escape') found.hidden = true;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || found.hidden) return;
  event.preventDefault();
  const stops = [input, ...found.querySelectorAll('a')];
  stops[stops.indexOf(document.activeElement) + step]?.focus();
}

input.addEventListener('focus', () => ask('', 1), { once: true });
input.addEventListener('input', show);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
form.addEventListener('keydown', move);

// On a narrow screen the list of pages would push the page itself off the screen.
if (window.matchMedia('(max-width: 800px)').matches) document.querySelector('.menu').removeAttribute('open');

// A diagram that is wider than the screen starts in its middle: its left edge is often empty.
for (const diagram of document.querySelectorAll('.diagram'))
  diagram.scrollLeft = (diagram.scrollWidth - diagram.clientWidth) / 2;
