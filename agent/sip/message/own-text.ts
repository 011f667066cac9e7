/**
 * V8 keeps the whole parent string of a slice of 13 characters and more; text that outlives its message needs a copy.
 */
export const ownText = (slice: string): string => (slice.length < 13 ? slice : ` ${slice}`.slice(1));

/**
 * Flattens wire text that goes into many messages: V8 keeps a concatenation as a tree, which each message would flatten
 * again.
 */
export function inOnePiece(text: string): string {
  if (text.length > SCRATCH.length) return Buffer.from(text, 'latin1').toString('latin1');
  return SCRATCH.toString('latin1', 0, SCRATCH.write(text, 'latin1'));
}

/**
 * A copy of a tag in a message, in one object instead of two. The transaction and the dialog of a response have the
 * same one.
 */
export function ownTag(tag: string): string {
  if (tag !== lastTag) lastTag = inOnePiece(tag);
  return lastTag;
}

let lastTag = '';

/** A buffer for each text would cost a load's user agents more than their texts. */
const SCRATCH = Buffer.allocUnsafe(4096);
