/** Crypto suites: algorithms, and the master key as written in SDES (RFC 4568). */

export type SrtpSuite = 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32' | 'AEAD_AES_128_GCM';

export type SuiteParameters = {
  readonly transform: 'CM' | 'GCM';
  readonly saltBytes: number;
  readonly rtpTagBytes: number;
  readonly rtcpTagBytes: number;
};

export const MASTER_KEY_BYTES = 16;
export const AUTHENTICATION_KEY_BYTES = 20;

/** RFC 4568, 6.2, and RFC 7714, 12 and 14.2. Only RTP has the short tag: SRTCP keeps 80 bits (RFC 4568, 6.2.2). */
export const SUITES: Readonly<Record<SrtpSuite, SuiteParameters>> = {
  AES_CM_128_HMAC_SHA1_80: { transform: 'CM', saltBytes: 14, rtpTagBytes: 10, rtcpTagBytes: 10 },
  AES_CM_128_HMAC_SHA1_32: { transform: 'CM', saltBytes: 14, rtpTagBytes: 4, rtcpTagBytes: 10 },
  AEAD_AES_128_GCM: { transform: 'GCM', saltBytes: 12, rtpTagBytes: 16, rtcpTagBytes: 16 },
};

/** The space after a packet for the longest tag, and the index of SRTCP. */
export const SRTP_ROOM_BYTES = 20;

export type MasterKey = { readonly suite: SrtpSuite; readonly key: Uint8Array; readonly salt: Uint8Array };

/**
 * Splits key and salt, in that order. Throws RangeError if they do not have the lengths of the suite; the message does
 * not contain them.
 */
export function masterKey(suite: SrtpSuite, keySalt: Uint8Array): MasterKey {
  const bytes = MASTER_KEY_BYTES + SUITES[suite].saltBytes;
  if (keySalt.length !== bytes)
    throw new RangeError(`${suite} takes ${bytes} bytes of key and salt, not ${keySalt.length}`);
  return { suite, key: keySalt.slice(0, MASTER_KEY_BYTES), salt: keySalt.slice(MASTER_KEY_BYTES) };
}

/**
 * The text after `inline:` in a=crypto, up to the first `|` (RFC 4568, 6.1). Throws RangeError if it is not a valid
 * key.
 */
export function masterKeyOfText(suite: SrtpSuite, text: string): MasterKey {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text))
    throw new RangeError(`the key of ${suite} is not base64`);
  return masterKey(
    suite,
    Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)),
  );
}
