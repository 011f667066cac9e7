/** A page around its content. No inline script and no inline style: the control plane's policy forbids both. */
import { NAV, PAGES } from './nav.ts';
import { BASE } from './render.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export type Titles = ReadonlyMap<string, string>;

function navigation(current: string, titles: Titles): string {
  const link = (page: string): string =>
    `<li><a href="${BASE}/${page}"${page === current ? ' aria-current="page"' : ''}>${escaped(titles.get(page) ?? page)}</a></li>`;
  return NAV.map(({ title, pages }) => `<h2>${title}</h2><ul>${pages.map(link).join('')}</ul>`).join('');
}

function neighbours(current: string, titles: Titles): string {
  const at = PAGES.indexOf(current);
  if (at < 0) return '';
  const link = (page: string | undefined, rel: string, arrow: (title: string) => string): string =>
    page === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${BASE}/${page}">${arrow(escaped(titles.get(page) ?? page))}</a>`;
  const before = at > 0 ? PAGES[at - 1] : undefined;
  return `<nav class="next" aria-label="Neighbouring pages">${link(before, 'prev', (t) => `← ${t}`)}${link(PAGES[at + 1], 'next', (t) => `${t} →`)}</nav>`;
}

export const layout = (page: string, title: string, html: string, titles: Titles): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}${page === '' ? '' : ' · Carillon'}</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="${BASE}/style.css">
<script src="${BASE}/search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="home" href="${BASE}/">Carillon</a>
<form role="search"><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off">
<ul class="found" hidden></ul></form>
<a href="/">Dashboard</a>
</header>
<div class="columns">
<details class="menu" open><summary>Pages</summary><nav aria-label="Pages">${navigation(page, titles)}</nav></details>
<main id="content">
${html}
${neighbours(page, titles)}
</main>
</div>
</body>
</html>
`;
