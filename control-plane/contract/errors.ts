/** What a caller of the API can be told, classed by what the caller must do. See docs/contract.md, Errors, and docs/decisions.md, Bad requests. */

const ERROR_STATUS = {
  BAD_REQUEST: 400, // the request cannot be parsed: mend the client
  UNAUTHORIZED: 401, // get a valid key
  FORBIDDEN: 403, // ask for a role or a plan
  PROOF_REQUIRED: 403, // a session: prove again who you are, then ask again
  CODE_REQUIRED: 403, // the password is right: send a code of the second factor as well
  SECOND_FACTOR_REQUIRED: 403, // a session: the organization wants its person to set one up first
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409, // the resource is in a state that does not allow it: read it again
  PRECONDITION_FAILED: 412, // somebody else was faster: read it again
  VALIDATION_ERROR: 422, // mend the values that `details` names
  RATE_LIMITED: 429, // wait `Retry-After` seconds
  UNAVAILABLE: 503, // this server is stopping, or its database is in trouble: ask again
  INTERNAL_ERROR: 500, // ours: retry later, quote the request id
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** `path` as in JavaScript: `groups[0].callee.uri`. */
export type ErrorDetail = { readonly path: string; readonly message: string };

/** The message is for the caller: what happened, where, how to mend it; never a secret, never an internal. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** How long to wait before the same may work (Retry-After). */
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
    return ERROR_STATUS[this.code];
  }
}

/** Also for what exists and may not be seen: existence is not told (docs/decisions.md, Bad requests). */
export const notFound = (what: string, id: string): ApiError =>
  new ApiError('NOT_FOUND', `There is no ${what} ${JSON.stringify(id.slice(0, 80))} here, or you may not see it.`);

/** Keys as a path of JavaScript. */
export const printPath = (path: readonly PropertyKey[]): string =>
  path.map((p, i) => (typeof p === 'number' ? `[${p}]` : `${i > 0 ? '.' : ''}${String(p)}`)).join('');

/** Values that break rules, each named. */
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
