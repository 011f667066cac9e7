/**
 * The style of a status page, in light and dark. Its texts keep 4.5:1, its bars 3:1 (WCAG 2.2, 1.4.3 and 1.4.11): a
 * test checks this.
 */
import { DARK as PAGE_DARK, LIGHT as PAGE_LIGHT, publicStyle } from '../../../http/public-page.ts';

export const LIGHT = {
  ...PAGE_LIGHT,
  quiet: '#59636e',
  line: '#d1d9e0',
  link: '#0550ae',
  healthy: '#1a7f37',
  degraded: '#8a5a00',
  unhealthy: '#cf222e',
  unknown: '#59636e',
};

export const DARK = {
  ...PAGE_DARK,
  quiet: '#9198a1',
  line: '#3d444d',
  link: '#79c0ff',
  healthy: '#3fb950',
  degraded: '#d29922',
  unhealthy: '#ff7b72',
  unknown: '#9198a1',
};

const STATES = ['healthy', 'degraded', 'unhealthy', 'unknown'] as const;

const RULES = `h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .5rem; display: flex; justify-content: space-between; gap: 1rem; overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; }
li { margin: .35rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.headline { font-size: 1.2rem; font-weight: 600; padding: .75rem 1rem; border: 1px solid var(--line); border-left-width: .5rem; border-radius: .25rem; }
.component { border-top: 1px solid var(--line); padding: 1rem 0; }
.state { white-space: nowrap; }
svg { display: block; width: 100%; height: 2rem; }
dl { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .5rem 0; color: var(--quiet); }
dl div { display: flex; gap: .4rem; }
dd { margin: 0; color: var(--text); font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; }
time { white-space: nowrap; }
th, td { text-align: left; font-weight: normal; padding: .15rem 1rem .15rem 0; }
.brand div { max-width: 48rem; margin: 0 auto; }
.note, footer { color: var(--quiet); font-size: .9rem; }
${STATES.map((s) => `rect.${s} { fill: var(--${s}); } .state.${s} { color: var(--${s}); } .headline.${s} { border-color: var(--${s}); }`).join('\n')}
`;

export const STYLE = publicStyle(LIGHT, DARK, RULES);
