/** Pages for readers without an account, in light and dark: no script, one style sheet, every text escaped. */
import { escaped, html, type Markup } from '../domain/markup.ts';

type Colours = Readonly<Record<string, string>>;

export const LIGHT = { page: '#ffffff', text: '#1f2328' } as const;
export const DARK = { page: '#0d1117', text: '#f0f6fc' } as const;

const variables = (colours: Colours): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');

/** `light` and `dark` have at least the colours above; `rules`: what the page needs besides. */
export const publicStyle = (light: Colours, dark: Colours, rules: string): string => `
:root { ${variables(light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; }
${rules}`;

/** `above`: of the whole width, above the content. */
export const publicPage = (title: string, style: string, main: Markup, above: Markup = html``): string =>
  // A policy may allow the style by its hash, so it stands here as it is.
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${above.text}<main>
${main.text}</main>
</body>
</html>
`;

/** `style`: the one that the policy of the address allows. */
export const notFoundPage = (style: string): string =>
  publicPage(
    'Page not found',
    style,
    html`<h1>Page not found</h1>
<p>Nothing is published at this address.</p>
`,
  );
