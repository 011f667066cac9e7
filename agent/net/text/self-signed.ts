/** Self-signed certificate (X.509 v3, RFC 5280) that the agent presents to TLS clients. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4, SocketAddress } from 'node:net';
import { hostname } from 'node:os';
import { Secret } from '@carillon/proto/base/secret.ts';

const YEARS_10_MS = 10 * 365 * 86_400_000;
const DAY_MS = 86_400_000;

// Tags of DER.
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT = 0x06;
const UTF8 = 0x0c;
const SEQUENCE = 0x30;
const SET = 0x31;
const UTC_TIME = 0x17;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';

/** For one of our addresses and the host's name; ECDSA P-256, ten years. PEM. */
export function createIdentity(address: string): { readonly certificate: string; readonly key: Secret } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, der(OBJECT, hex(ECDSA_WITH_SHA256)));
  const attribute = der(SEQUENCE, der(OBJECT, hex(COMMON_NAME)), der(UTF8, Buffer.from('Carillon agent')));
  const name = der(SEQUENCE, der(SET, attribute));
  const names = [der(DNS_NAME, Buffer.from(hostname(), 'latin1'))];
  if (isIP(address) !== 0) names.push(der(IP_ADDRESS, addressBytes(address)));
  const alternative = der(OCTET_STRING, der(SEQUENCE, ...names));
  const now = Date.now();
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    name,
    der(SEQUENCE, time(now - DAY_MS), time(now + YEARS_10_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, der(OBJECT, hex(SUBJECT_ALT_NAME)), alternative))),
  );
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', body, privateKey));
  const lines = der(SEQUENCE, body, algorithm, signature)
    .toString('base64')
    .replace(/(.{64})/g, '$1\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`,
    key: new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  let head = [tag, length];
  if (length > 0xff) head = [tag, 0x82, length >> 8, length & 0xff];
  else if (length > 0x7f) head = [tag, 0x81, length];
  return Buffer.concat([Buffer.from(head), content]);
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** `261121190000Z`: until 2049 the year has two digits (RFC 5280, 4.1.2.5). */
const time = (atMs: number): Buffer =>
  der(
    UTC_TIME,
    Buffer.from(
      `${new Date(atMs)
        .toISOString()
        .replace(/[-:T]|\..*/g, '')
        .slice(2)}Z`,
      'latin1',
    ),
  );

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const plain = new SocketAddress({ address: address.replace(/%.*/, ''), family: 'ipv6' }).address;
  const [left = '', right] = plain.split('::');
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  const [head, tail] = [words(left), words(right ?? '')];
  const zeros = right === undefined ? [] : new Array<number>(8 - head.length - tail.length).fill(0);
  return Buffer.from([...head, ...zeros, ...tail].flatMap((word) => [word >> 8, word & 0xff]));
}
