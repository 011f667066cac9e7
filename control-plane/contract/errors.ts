/**
 * Errors of the API, classified by what the caller must do. See docs/contract.md, Errors, and
 * docs/decisions.md, Bad requests.
 */

/** `when` and `remedy` are sentences of docs/reference/errors.md. */
type ErrorMeaning = { readonly status: number; readonly when: string; readonly remedy: string };

export const ERRORS = {
  BAD_REQUEST: {
    status: 400,
    when: 'The request cannot be parsed: the body is not JSON, is too long, or the address is malformed.',
    remedy: 'Correct the client. The same request will fail again.',
  },
  UNAUTHORIZED: {
    status: 401,
    when: 'The request has no API key, or the key is invalid, expired or revoked. At the log-in: the e-mail, the password or the code is wrong.',
    remedy:
      'Send `Authorization: Bearer` with a valid key. Keys are created in the dashboard. At the log-in: try again, or have the password set anew.',
  },
  FORBIDDEN: {
    status: 403,
    when: 'The role, the scopes of the key or the plan do not permit the operation. The message says which.',
    remedy: 'Use a key of a member with the role, or ask the owner of the organization for the role or the plan.',
  },
  PROOF_REQUIRED: {
    status: 403,
    when: 'Dashboard only: the operation requires a recent proof of identity.',
    remedy: 'Enter the password or use the passkey again (`POST /me/proof`), then repeat the request.',
  },
  CODE_REQUIRED: {
    status: 403,
    when: 'Dashboard only: the password is right, and the account has a second factor.',
    remedy: 'Repeat the request with `code`, the current code of the second factor.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    when: 'Dashboard only: the organization requires a second factor, and the account has none.',
    remedy: 'Set up a second factor in the account settings.',
  },
  NOT_FOUND: {
    status: 404,
    when: 'The object does not exist, or the key may not see it. The answer is the same in both cases.',
    remedy: 'Check the id and the project, and with `GET /whoami` the projects of the key.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path exists, but not with this method. `Allow` lists the methods.',
    remedy: 'Use one of these methods.',
  },
  CONFLICT: {
    status: 409,
    when: 'The state of the object does not permit the operation: a name is taken, a run has ended, an object is in use.',
    remedy: 'Read the object again. The message says what is in the way.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    when: 'The version in `If-Match` is not the current one: somebody else changed the object.',
    remedy: 'Read the object again, apply the change to the new version, and send its `ETag`.',
  },
  VALIDATION_ERROR: {
    status: 422,
    when: 'A field or a parameter is missing, unknown, or has a value that is not permitted.',
    remedy: 'Correct the values that `details` lists by path. Each message says what is permitted.',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'The key has used its requests of this minute, or too many requests without a valid key came from the network.',
    remedy: 'Wait for the seconds in `Retry-After`, and increase the wait after each further 429.',
  },
  INTERNAL_ERROR: {
    status: 500,
    when: 'The server failed. The request is not the cause.',
    remedy: 'Repeat the request later; a POST with an `Idempotency-Key`. Report the `requestId` if it happens again.',
  },
  UNAVAILABLE: {
    status: 503,
    when: 'The server is stopping, or its database does not answer.',
    remedy: 'Repeat the request after the seconds in `Retry-After`.',
  },
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof ERRORS;

/** What the documentation says of a code of the API or of a run: a path on the server that answered. */
export const errorPage = (code: string): string => `/docs/reference/errors#${code.toLowerCase()}`;

/** `path` is written as in JavaScript: `groups[0].callee.uri`. */
export type ErrorDetail = { readonly path: string; readonly message: string };

/**
 * The message is for the caller. It states what happened, where, and how to correct it; it never has a secret or an internal
 * detail.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** The time after which the same request may succeed (Retry-After). */
  readonly retryAfterSeconds: number | null;
  constructor(
    code: ErrorCode,
    message: string,
    details: readonly ErrorDetail[] = [],
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** This error is also used for things that exist but must not be seen (docs/decisions.md, Bad requests). */
export const notFound = (what: string, id: string): ApiError =>
  new ApiError('NOT_FOUND', `There is no ${what} ${JSON.stringify(id.slice(0, 80))} here, or you may not see it.`);

/** Joins keys to a path as in JavaScript. */
export const printPath = (path: readonly PropertyKey[]): string =>
  path.map((p, i) => (typeof p === 'number' ? `[${p}]` : `${i > 0 ? '.' : ''}${String(p)}`)).join('');

/** The keys of a path that `printPath` joined. */
export const readPath = (path: string): PropertyKey[] =>
  path.split(/[.[\]]+/).flatMap((key) => (key === '' ? [] : [/^\d+$/.test(key) ? Number(key) : key]));

/** An error for invalid values, each with its path. */
export const invalid = (
  faults: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ApiError => {
  const details = faults.map(({ path, message }) => ({ path: printPath(path), message }));
  const [first] = details;
  return new ApiError(
    'VALIDATION_ERROR',
    first ? `${first.path}: ${first.message}` : 'The request is not valid.',
    details,
  );
};
