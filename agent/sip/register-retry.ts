/**
 * A REGISTER with a temporary failure is repeated after this interval, until this long after its first failure; a refresh
 * also while the binding lasts.
 */
export type RegisterRetry = { readonly afterMs: number; readonly withinMs: number };
