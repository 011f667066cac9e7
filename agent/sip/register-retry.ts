/**
 * A REGISTER with a temporary failure is repeated after this interval; an initial one until this long after its first
 * failure.
 */
export type RegisterRetry = { readonly afterMs: number; readonly withinMs: number };
