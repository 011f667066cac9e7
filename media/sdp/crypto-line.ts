/** `a=crypto`: SRTP keys in the session description (RFC 4568; suites: 6.2, and RFC 7714, 14.2). */
import type { CryptoLine } from './session-description.ts';
import type { SrtpKey, SrtpSuite } from './stream-format.ts';

/** The bytes of master key and master salt together. */
export const KEY_SALT_BYTES: Readonly<Record<SrtpSuite, number>> = {
  AES_CM_128_HMAC_SHA1_80: 30,
  AES_CM_128_HMAC_SHA1_32: 30,
  AEAD_AES_128_GCM: 28,
};

/** The suites in the order of our offers. */
export const SRTP_SUITES = Object.keys(KEY_SALT_BYTES) as readonly SrtpSuite[];

const LINE = /^(\d{1,9})\s+(\S+)\s+inline:([^|;\s]+)(\|[^;\s]*)?(;\S*)?((?:\s+\S+)*)$/i;
const MKI = /^(\d{1,15}):(\d{1,3})$/;
const LIFETIME = /^(?:2\^(\d{1,2})|(\d{1,15}))$/;

/** Parses the value of an a=crypto; null: it cannot be parsed. */
export function readCrypto(value: string): CryptoLine | null {
  const match = LINE.exec(value);
  if (match === null) return null;
  const [, tag, suite, keySalt, fields = '', more, parameters = ''] = match;
  let lifetime: number | null = null;
  let mki: CryptoLine['mki'] = null;
  for (const field of fields.split('|').slice(1)) {
    const identified = MKI.exec(field);
    const life = LIFETIME.exec(field);
    if (identified !== null) mki = { value: Number(identified[1]), bytes: Number(identified[2]) };
    else if (life !== null) lifetime = life[1] === undefined ? Number(life[2]) : 2 ** Number(life[1]);
    else return null;
  }
  return {
    tag: Number(tag),
    suite: (suite as string).toUpperCase(),
    keySalt: keySalt as string,
    lifetime,
    mki,
    severalKeys: more !== undefined,
    sessionParameters: parameters.split(/\s+/).filter((word) => word !== ''),
  };
}

export function writeCrypto({ tag, suite, keySalt, lifetime, mki, sessionParameters }: CryptoLine): string {
  const fields = [`inline:${keySalt}`];
  if (lifetime !== null)
    fields.push(Number.isInteger(Math.log2(lifetime)) ? `2^${Math.log2(lifetime)}` : `${lifetime}`);
  if (mki !== null) fields.push(`${mki.value}:${mki.bytes}`);
  return [tag, suite, fields.join('|'), ...sessionParameters].join(' ');
}

/** The line with our sending key. */
export const cryptoOf = (tag: number, { suite, keySalt }: SrtpKey): CryptoLine => ({
  tag,
  suite,
  keySalt,
  lifetime: null,
  mki: null,
  severalKeys: false,
  sessionParameters: [],
});

/** The key of a line, or a short reason why it cannot be used (RFC 4568, 5.1.2: such a line is skipped). */
export function keyOf(line: CryptoLine): SrtpKey | string {
  const suite = SRTP_SUITES.find((one) => one === line.suite);
  if (suite === undefined) return `${line.suite} is not known here`;
  if (line.severalKeys || line.mki !== null) return `line ${line.tag} needs an MKI in every packet`;
  // A window size hint is not binding (6.3.7); a parameter with a minus may be ignored (6.3).
  const demand = line.sessionParameters.find((one) => !/^(?:WSH=|-)/i.test(one));
  if (demand !== undefined) return `line ${line.tag} demands ${demand}`;
  const digits = line.keySalt.replace(/(?<!=)=+$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length !== Math.ceil((KEY_SALT_BYTES[suite] * 8) / 6))
    return `the key of line ${line.tag} is not ${KEY_SALT_BYTES[suite]} bytes of base64`;
  return { suite, keySalt: line.keySalt };
}
