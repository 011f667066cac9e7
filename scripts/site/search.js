// Search in the browser: the index is fetched when the field gets the focus. MiniSearch comes from minisearch.js.
(() => {
  const form = document.querySelector('form[role="search"]');
  const input = form.querySelector('input');
  const found = form.querySelector('.found');
  const fields = ['title', 'heading', 'text'];
  let index = null;
  const load = () => {
    index ??= fetch('/docs/search.json')
      .then((answer) => answer.text())
      .then((text) => globalThis.MiniSearch.loadJSON(text, { fields, storeFields: ['title', 'heading'] }));
    return index;
  };
  const show = async () => {
    const words = input.value.trim();
    const ready = await load();
    if (input.value.trim() !== words) return;
    const options = { prefix: true, fuzzy: 0.2, boost: { title: 4, heading: 3 } };
    const results = words === '' ? [] : ready.search(words, options).slice(0, 8);
    found.replaceChildren(
      ...results.map(({ id, title, heading }) => {
        const item = document.createElement('li');
        const link = document.createElement('a');
        link.href = id;
        link.textContent = heading === title ? title : `${title}: ${heading}`;
        item.append(link);
        return item;
      }),
    );
    if (words !== '' && results.length === 0) found.textContent = 'Nothing found';
    found.hidden = words === '';
  };
  input.addEventListener('focus', load, { once: true });
  input.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    found.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') found.hidden = true;
  });
  // On a narrow screen the list of pages would push the page itself off the screen.
  if (window.matchMedia('(max-width: 800px)').matches) document.querySelector('.menu').removeAttribute('open');
})();

// A diagram that is wider than the screen starts in its middle: its left edge is often empty.
for (const diagram of document.querySelectorAll('.diagram'))
  diagram.scrollLeft = (diagram.scrollWidth - diagram.clientWidth) / 2;
