/** A REGISTER that failed in a way that may pass is sent again after so long, a first one until so long after its first failure. */
export type RegisterRetry = { readonly afterMs: number; readonly withinMs: number };
