/**
 * How media find their way, as the form asks for it: `NONE`, `HOST` or `stun:HOST:PORT` of a test, as a choice and a text. Pure.
 */

export type MediaPath = 'NONE' | 'HOST' | 'STUN';

export const mediaPathOf = (ice: string): MediaPath => (ice === 'NONE' || ice === 'HOST' ? ice : 'STUN');

export const stunServerOf = (ice: string): string => (mediaPathOf(ice) === 'STUN' ? ice.replace(/^stun:/i, '') : '');

/** Another scheme stays as it was typed: the server reports the error. */
export const iceOf = (path: MediaPath, server: string): string =>
  path !== 'STUN' ? path : /^(stuns?|turns?):/i.test(server) ? server : `stun:${server}`;
