// What the pages and the dashboard ask the documentation. The index is fetched with the first question.
import { find, readIndex } from './find.ts';

let index = null;

const load = () => {
  index ??= fetch('/docs/search.json')
    .then((answer) => answer.text())
    .then(readIndex);
  // A request that failed is made again.
  index.catch(() => {
    index = null;
  });
  return index;
};

export const ask = async (words, limit) => find(await load(), words, limit);
