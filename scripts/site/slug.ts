/** The id of a heading, as GitHub creates it, so that a link with an anchor works there and on the site. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const HEADING = /^#{1,6} +(.*)$/gm;
const FENCED = /^```[\s\S]*?^```/gm;

/** The headings of a page without their markup. */
export const headingsOf = (markdown: string): string[] =>
  [...markdown.replace(FENCED, '').matchAll(HEADING)].map(([, heading]) =>
    (heading as string).replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
  );
