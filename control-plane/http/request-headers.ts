/** Headers that control how a request is performed. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { Context } from '../operations/request/perform.ts';

const MAX_IDEMPOTENCY_KEY = 200;

const refuse = (path: string, message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `${path} ${message}`, [{ path, message }]);

/** @throws ApiError */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length > 0 && value.length <= MAX_IDEMPOTENCY_KEY) return value;
  throw refuse('Idempotency-Key', `has 1 to ${MAX_IDEMPOTENCY_KEY} characters.`);
}

/** The format of an entity tag (RFC 9110, 8.8.3). */
const ENTITY_TAG = /(W\/)?"([!#-~\x80-\xff]*)"/g;
const ENTITY_TAGS = /^(?:W\/)?"[!#-~\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[!#-~\x80-\xff]*")*$/;

/**
 * RFC 9110, 13.1.1: strong comparison, so weak tags never match.
 * @throws ApiError
 */
export function ifMatchOf(request: FastifyRequest): Context['ifMatch'] {
  const value = request.headers['if-match']?.trim();
  if (value === undefined || value === '*') return value ?? null;
  if (!ENTITY_TAGS.test(value)) throw refuse('If-Match', 'has versions in quotes, as "3", or is *.');
  return [...value.matchAll(ENTITY_TAG)].flatMap(([, weak, tag]) => (weak ? [] : [tag as string]));
}

/**
 * Compares If-None-Match weakly (RFC 9110, 13.1.2): true if the client has the answer with this tag. Invalid values do
 * not match.
 */
export function isHeld(request: FastifyRequest, etag: string): boolean {
  const value = request.headers['if-none-match']?.trim();
  if (value === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  return value === '*' || [...value.matchAll(ENTITY_TAG)].some(([tag]) => tag.replace(/^W\//, '') === opaque);
}
