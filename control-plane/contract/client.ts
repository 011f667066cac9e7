/**
 * A client derived from the catalogue, without code generation. It serves every program of ours that speaks HTTP: CLI, scripts,
 * tests.
 */
import { type Client, clientOf } from './call.ts';
import { CATALOGUE } from './catalogue.ts';

export { type CallInput, type Client, SESSION_HEADER } from './call.ts';

/** @param base the address, which ends in /api/v1 */
export const createClient = (base: string, apiKey: string, send?: typeof fetch): Client =>
  clientOf(CATALOGUE, base, apiKey, send);
