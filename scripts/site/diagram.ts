/** A Mermaid diagram as a picture that loads nothing from other hosts, and is light or dark like the reader's system. */
import { renderMermaidSVG } from 'beautiful-mermaid';

const LIGHT = '--bg:#fcfcfd;--fg:#1d2130';
const DARK = '--bg:#14161d;--fg:#e6e8ef';
const COLORS = `svg{${LIGHT}}@media (prefers-color-scheme:dark){svg{${DARK}}}`;

/** @throws Error if the text is not a diagram */
export function drawn(text: string): { readonly svg: string; readonly width: number; readonly height: number } {
  const made = renderMermaidSVG(text, { font: 'system-ui' });
  const svg = made
    .replace(/@import url\([^)]*\);\n?/, '')
    .replace(/(<svg[^>]*?) style="[^"]*"/, '$1')
    .replace('<style>', `<style>${COLORS}`);
  const size = (name: string): number => Math.ceil(Number(new RegExp(`<svg[^>]* ${name}="([\\d.]+)"`).exec(svg)?.[1]));
  return { svg, width: size('width'), height: size('height') };
}
