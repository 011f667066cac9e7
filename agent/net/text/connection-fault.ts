/** Why a connection could not be opened, or broke: what the system and OpenSSL say, as a sentence. Pure. */

/** What OpenSSL says where no authority that is trusted vouches for the server. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** OpenSSL's errors for data that are not a TLS record. */
const NO_TLS = /wrong version number|packet length too long|http request/i;

/** `connect ECONNREFUSED 127.0.0.1:5061`, or why a certificate was not taken. */
export function connectionFault(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  if (UNTRUSTED.has(code)) return `its certificate is not from an authority that is trusted here: ${error.message}`;
  if (NO_TLS.test(error.message)) return `the server does not use TLS (${code})`;
  // What OpenSSL says in words, without the number of its thread and the lines of its source.
  if ('reason' in error && typeof error.reason === 'string') return `${error.reason} (${code})`;
  return code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
