/** A word of the API as people read it: `NO_ANSWER` -> `No answer`, `INCALL` -> `In call`. */
export const plain = (word: string): string => {
  const text = word
    .replace(/^INCALL$/, 'IN_CALL')
    .replaceAll('_', ' ')
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};
