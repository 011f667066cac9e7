/**
 * Limits the depth of JSON. The depth is found in the text, before anything is built from it: a million brackets held
 * the process for seconds.
 */
import { ApiError } from '../contract/errors.ts';
import { LIMITS } from '../limits/limits.ts';

const MAX_DEPTH = LIMITS.depth.max;
const [QUOTE, BACKSLASH, BEGIN_ARRAY, END_ARRAY, BEGIN_OBJECT, END_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isText) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === BEGIN_ARRAY || code === BEGIN_OBJECT) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === END_ARRAY || code === END_OBJECT) depth--;
  }
  return false;
}

/** @throws ApiError BAD_REQUEST */
export function refuseDepth(text: string): void {
  if (isTooDeep(text)) throw new ApiError('BAD_REQUEST', `The body nests deeper than ${MAX_DEPTH} levels.`);
}
