/**
 * A function of text that remembers its last two results: the hundred calls of a turn go to one target and come back with one
 * Contact, and reading a URI costs more than comparing it. `compute` must be pure.
 */
import { ownText } from './own-text.ts';

export function rememberLast<T>(compute: (text: string) => T): (text: string) => T {
  let lastText = '';
  let lastResult = compute(lastText);
  let otherText = lastText;
  let otherResult = lastResult;
  return (text) => {
    if (text === lastText) return lastResult;
    const isOther = text === otherText;
    const result = isOther ? otherResult : compute(text);
    const own = isOther ? otherText : ownText(text);
    otherText = lastText;
    otherResult = lastResult;
    lastText = own;
    lastResult = result;
    return result;
  };
}

/** The same for a part of a text, and for one result: recognized in place, without a substring. */
export function rememberPiece<T>(compute: (piece: string) => T): (text: string, at: number, end: number) => T {
  let lastPiece = '';
  let lastResult = compute(lastPiece);
  return (text, at, end) => {
    if (end - at === lastPiece.length && text.startsWith(lastPiece, at)) return lastResult;
    const piece = ownText(text.slice(at, end));
    lastResult = compute(piece);
    lastPiece = piece;
    return lastResult;
  };
}

/** The last four values, for what is recognized by more than one text: a new one replaces the oldest. */
export class LastFew<T> {
  readonly values: T[];
  #oldest = 0;

  /** @param unlike a value that no search finds */
  constructor(unlike: T) {
    this.values = new Array<T>(4).fill(unlike);
  }

  add(value: T): T {
    this.values[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.values.length;
    return value;
  }
}
