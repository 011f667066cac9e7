/**
 * A function of text that remembers its last result: the hundred calls of a tick go to one target and come back with one
 * Contact, and reading a URI costs more than comparing it. `compute` must be pure.
 */
import { ownText } from './own-text.ts';

export function rememberLast<T>(compute: (text: string) => T): (text: string) => T {
  let lastText = '';
  let lastResult = compute(lastText);
  return (text) => {
    if (text === lastText) return lastResult;
    lastResult = compute(text);
    lastText = ownText(text);
    return lastResult;
  };
}
