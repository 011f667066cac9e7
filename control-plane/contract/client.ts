/** A client read from the catalogue, for every program that speaks HTTP with us: CLI, scripts, tests. No code generation. */
import { type Client, clientOf } from './call.ts';
import { CATALOGUE } from './catalogue.ts';

export { type CallInput, type Client, SESSION_HEADER } from './call.ts';

/** @param base address that ends in /api/v1 */
export const createClient = (base: string, apiKey: string, send?: typeof fetch): Client =>
  clientOf(CATALOGUE, base, apiKey, send);
