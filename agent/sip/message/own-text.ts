/**
 * V8 keeps the whole parent string of a slice of 13 characters and more; text that outlives its message needs a copy.
 */
export const ownText = (slice: string): string => (slice.length < 13 ? slice : ` ${slice}`.slice(1));

/**
 * Flattens wire text that goes into many messages: V8 keeps a concatenation as a tree, which each message would flatten
 * again.
 */
export const inOnePiece = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
