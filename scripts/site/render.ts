/**
 * Converts Markdown to HTML. Links to pages and to files of the site become its addresses, and so do names of its files in code;
 * links to other files become plain code.
 */
import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { drawn } from './diagram.ts';
import { fileAddress } from './files.ts';
import { PAGES } from './nav.ts';
import { slugOf } from './slug.ts';

/** Where the control plane serves the site. */
export const BASE = '/docs';

export type Section = { readonly id: string; readonly heading: string; readonly text: string };
export type Picture = { readonly name: string; readonly svg: string };
export type Rendered = {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
  /** The pictures that are drawn from the page's diagrams, as addresses of the site. */
  readonly pictures: readonly Picture[];
};

/** From the root of the repository. `from`: the page that names it, below docs/. */
const targetOf = (file: string, from: string): string => path.posix.join('docs', path.posix.dirname(from), file);

/** The address of a link. Null: the link leads out of the site. */
function addressOf(href: string, from: string): string | null {
  if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return href;
  const [file = '', hash] = href.split('#');
  const inRoot = targetOf(file, from);
  const taken = fileAddress(inRoot);
  if (taken !== null) return `${BASE}/${taken}`;
  const target = path.posix.relative('docs', inRoot);
  const page = target.replace(/\.md$/, '');
  const fragment = hash === undefined ? '' : `#${hash}`;
  if (PAGES.includes(page)) return `${BASE}/${page}${fragment}`;
  if (page === 'README') return `${BASE}/`;
  return /\.(svg|png)$/.test(target) ? `${BASE}/${target}` : null;
}

export function render(markdown: string, page: string): Rendered {
  const md = new MarkdownIt({ html: false });
  md.use(anchor, { slugify: slugOf, permalink: anchor.permalink.headerLink({ safariReaderFix: true }) });
  md.core.ruler.push('links', ({ tokens }) => {
    tokens.forEach(({ children }, i) => {
      rewrite(children ?? [], page);
      // On a narrow screen a picture is wider than its paragraph, which scrolls: by keys, too.
      if (children?.[0]?.type === 'image') tokens[i - 1]?.attrSet('tabindex', '0');
    });
  });
  md.renderer.rules['table_open'] = () => '<div class="scroll" tabindex="0"><table>\n';
  md.renderer.rules['table_close'] = () => '</table></div>\n';
  const pictures: Picture[] = [];
  md.renderer.rules['fence'] = (tokens, at) => {
    const language = tokens[at]?.info.split(' ')[0] ?? '';
    if (language === 'mermaid') {
      const name = `${page}-${pictures.length + 1}.svg`;
      const { svg, width, height } = drawn(tokens[at]?.content ?? '');
      pictures.push({ name, svg });
      const heading = tokens.slice(0, at).findLast((_, i) => tokens[i - 1]?.type === 'heading_open');
      const size = `width="${width}" height="${height}"`;
      return `<div class="diagram" tabindex="0"><img src="${BASE}/${name}" ${size} alt="Diagram: ${md.utils.escapeHtml(plain(heading))}"></div>\n`;
    }
    const code = md.utils.escapeHtml(tokens[at]?.content ?? '');
    return `<pre tabindex="0" data-language="${md.utils.escapeHtml(language)}"><code>${code}</code></pre>\n`;
  };
  md.renderer.rules['code_inline'] = (tokens, at) => {
    const name = tokens[at]?.content ?? '';
    const code = `<code>${md.utils.escapeHtml(name)}</code>`;
    const taken =
      tokens[at - 1]?.type === 'link_open' ? null : (fileAddress(name) ?? fileAddress(targetOf(name, page)));
    return taken === null ? code : `<a href="${BASE}/${taken}">${code}</a>`;
  };
  const text = markdown.replace(/<!--[\s\S]*?-->/g, '');
  const tokens = md.parse(text, {});
  const html = md.renderer.render(tokens, md.options, {});
  return { title: titleOf(text), html, sections: sectionsOf(tokens), pictures };
}

/** Links that lead out of the site keep their text, as code. */
function rewrite(children: Token[], page: string): void {
  let isOutside = false;
  for (const token of children) {
    if (token.type === 'image') token.attrSet('src', addressOf(String(token.attrGet('src') ?? ''), page) ?? '');
    if (token.type === 'link_open') {
      const address = addressOf(String(token.attrGet('href') ?? ''), page);
      isOutside = address === null;
      if (address !== null) token.attrSet('href', address);
    }
    if (isOutside && (token.type === 'link_open' || token.type === 'link_close')) {
      isOutside = token.type === 'link_open';
      token.tag = 'code';
      token.attrs = null;
    }
  }
}

const titleOf = (text: string): string => /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? 'Carillon';

/** The search index, with the text under each heading. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { id: string; heading: string; text: string }[] = [];
  tokens.forEach((token, i) => {
    if (token.type === 'heading_open') {
      const heading = plain(tokens[i + 1]);
      sections.push({ id: slugOf(heading), heading, text: '' });
    } else if (tokens[i - 1]?.type !== 'heading_open') {
      const last = sections.at(-1);
      if (last)
        last.text +=
          token.type === 'inline'
            ? `${plain(token)} `
            : token.type === 'fence' && token.info !== 'mermaid'
              ? token.content
              : '';
    }
  });
  return sections;
}

const plain = (token: Token | undefined): string =>
  (token?.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'softbreak')
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
