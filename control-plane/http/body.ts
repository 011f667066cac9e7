/** Bodies before validation: bounds the validated data and the error messages. */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, invalid } from '../contract/errors.ts';

/** 10,000 SIP accounts are 30,000 values. */
const MOST_VALUES = 200_000;

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
    if (values > MOST_VALUES) throw new ApiError('VALIDATION_ERROR', `The body has more than ${MOST_VALUES} values.`);
    for (const item of inside) left.push(item);
  }
  return body;
}

/**
 * A body is JSON as it is, in UTF-8 (RFC 8259, 8.1): in another coding it would be read as something else.
 * @throws ApiError BAD_REQUEST
 */
export function refuseCoding(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new ApiError(
      'BAD_REQUEST',
      `A body in the coding ${coding.slice(0, LONGEST_NAME)} is not read: send it as it is.`,
    );
  const charset = /;\s*charset="?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset))
    throw new ApiError('BAD_REQUEST', `A body in ${charset.slice(0, LONGEST_NAME)} is not read: JSON is UTF-8.`);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Bytes that are not UTF-8 would be stored as replacement characters.
 * @throws Error in words
 */
export function textOf(body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw new Error('it has bytes that are not UTF-8');
  }
}

const MOST_NAMED = 100;
const LONGEST_NAME = 100;

/**
 * For operations without a body: an empty object counts as none. @throws ApiError VALIDATION_ERROR that names its
 * contents
 */
export function refuseFields(given: unknown, message: string): void {
  if (given === undefined || given === null) return;
  if (typeof given !== 'object' || Array.isArray(given)) throw invalid([{ path: [], message }]);
  const names = Object.keys(given).slice(0, MOST_NAMED);
  if (names.length > 0) throw invalid(names.map((name) => ({ path: [name.slice(0, LONGEST_NAME)], message })));
}
