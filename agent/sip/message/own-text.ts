/** V8 keeps the whole text behind a slice of 13 characters and more; what outlives its message needs a copy of its own. */
export const ownText = (slice: string): string => (slice.length < 13 ? slice : ` ${slice}`.slice(1));

/**
 * Wire text that goes into many messages: V8 keeps a concatenation as a tree of its pieces, which each message would gather
 * again.
 */
export const inOnePiece = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
