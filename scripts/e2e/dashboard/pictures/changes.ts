/** Changes of the run's page as styles: those that a person would see, where they are said to be, and one that no picture may tell. */
export const SEEN_CHANGES: Readonly<Record<string, readonly [style: string, place: RegExp]>> = {
  'a panel 40 px to the left': ['section[aria-label="Summary"] { position: relative; left: -40px }', /Summary/],
  'a panel 40 px lower': ['section[aria-label="What callers heard"] { margin-top: 40px }', /./],
  'a chart that is hidden': ['figure:has([aria-label^="Set-up over time"]) { display: none }', /./],
  'a text that is missing': ['section[aria-label="Verdict"] * { color: transparent !important }', /Verdict/],
  'another colour of cards': [':root { --carillon-card: #fff3bf !important }', /./],
  'another colour of what is good': [':root { --carillon-good: #b35c00 !important }', /./],
};
export const ANOTHER_FONT = 'html, body, button, input, code { font-family: "DejaVu Serif", serif; }';
