/** Checks bodies before validation, which bounds the validated data and the error messages. */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, invalid } from '../contract/errors.ts';
import { LIMITS } from '../limits/limits.ts';

const MAX_VALUES = LIMITS.values.max;

/**
 * A missing body counts as empty, so that all required fields are named.
 * @throws ApiError
 */
export function readBody(body: unknown): unknown {
  if (body === undefined) return {};
  let values = 0;
  const left: unknown[] = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (value === null || typeof value !== 'object') continue;
    const inside = Object.values(value);
    values += inside.length;
    if (values > MAX_VALUES) throw new ApiError('VALIDATION_ERROR', `The body has more than ${MAX_VALUES} values.`);
    for (const item of inside) left.push(item);
  }
  return body;
}

/**
 * A body is plain JSON in UTF-8 (RFC 8259, 8.1): in another coding it would be misread.
 * @throws ApiError BAD_REQUEST
 */
export function refuseCoding(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new ApiError(
      'BAD_REQUEST',
      `A body in the coding ${coding.slice(0, MAX_NAME)} is not read: send it as it is.`,
    );
  const charset = /;\s*charset="?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset))
    throw new ApiError('BAD_REQUEST', `A body in ${charset.slice(0, MAX_NAME)} is not read: JSON is UTF-8.`);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Refuses bytes that are not UTF-8, because they would be stored as replacement characters.
 * @throws Error in words
 */
export function textOf(body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw new Error('it has bytes that are not UTF-8');
  }
}

const MAX_NAMED = 100;
const MAX_NAME = 100;

/**
 * For operations without a body: an empty object counts as none. @throws ApiError VALIDATION_ERROR that names its
 * contents
 */
export function refuseFields(given: unknown, message: string): void {
  if (given === undefined || given === null) return;
  if (typeof given !== 'object' || Array.isArray(given)) throw invalid([{ path: [], message }]);
  const names = Object.keys(given).slice(0, MAX_NAMED);
  if (names.length > 0) throw invalid(names.map((name) => ({ path: [name.slice(0, MAX_NAME)], message })));
}
