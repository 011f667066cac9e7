/** An authenticator in software (WebAuthn Level 3, 6): ES256 credentials, and answers as a browser gives them; tests can make it lie. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** CBOR (RFC 8949) of the contents of an attestation: integers, bytes, texts, maps. */
type Item = number | string | Buffer | Map<Item, Item>;
function cbor(item: Item): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof item === 'number') return item >= 0 ? head(0, item) : head(1, -1 - item);
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item]);
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)]);
  return Buffer.concat([head(5, item.size), ...[...item].flatMap(([key, value]) => [cbor(key), cbor(value)])]);
}

/** Values that it reports falsely. */
export type Lie = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly signature?: Buffer;
};

type AuthenticatorOptions = {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
};

export class SoftAuthenticator {
  readonly id = randomBytes(32);
  readonly origin: string;
  counter = 0;
  readonly #keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

  constructor(origin: string) {
    this.origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  create(asked: AuthenticatorOptions, lie: Lie = {}): object {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<Item, Item>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x ?? '', 'base64url')],
      [-3, Buffer.from(y ?? '', 'base64url')],
    ]);
    const length = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, cbor(key)]);
    const authData = Buffer.concat([this.#authData(asked, lie, 0x40), credential]);
    const attestation = new Map<Item, Item>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData(asked, 'webauthn.create', lie).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Signs a challenge. */
  get(asked: AuthenticatorOptions, lie: Lie = {}): object {
    this.counter++;
    const clientData = this.#clientData(asked, 'webauthn.get', lie);
    const authData = this.#authData(asked, lie, 0);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: (lie.signature ?? signature).toString('base64url'),
    });
  }

  #answer(response: object): object {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  #clientData({ challenge }: AuthenticatorOptions, type: string, lie: Lie): Buffer {
    return Buffer.from(JSON.stringify({ type, origin: this.origin, challenge, ...pick(lie) }));
  }

  #authData({ rp, rpId }: AuthenticatorOptions, lie: Lie, flags: number): Buffer {
    const verified = lie.isVerified === false ? 0x01 : 0x05;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lie.counter ?? this.counter);
    return Buffer.concat([sha256(lie.rpId ?? rp?.id ?? rpId ?? ''), Buffer.from([flags | verified]), counter]);
  }
}

const pick = ({ origin, type }: Lie): object => ({ ...(origin && { origin }), ...(type && { type }) });
