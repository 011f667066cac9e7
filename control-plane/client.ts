/**
 * A client derived from the catalogue, without code generation. It serves every program of ours that speaks HTTP: CLI, scripts,
 * tests.
 */

import { CATALOGUE } from './catalogue.ts';
import { type Client, clientOf } from './contract/call.ts';

export { type CallInput, type Client, SESSION_HEADER } from './contract/call.ts';

/** @param base the address, which ends in /api/v1 */
export const createClient = (base: string, apiKey: string, send?: typeof fetch): Client =>
  clientOf(CATALOGUE, base, apiKey, send);
