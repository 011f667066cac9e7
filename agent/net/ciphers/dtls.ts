/**
 * DTLS handshakes for SRTP keys (RFC 5764) over the OpenSSL inside node. Datagrams are passed in and out; the handshake
 * itself uses no socket. Its timer is OpenSSL's own and runs on the system's clock.
 */
import { generateKeyPairSync, randomInt } from 'node:crypto';
import { type MasterKey, masterKey, type SrtpSuite, SUITES } from '@carillon/media/srtp/suites.ts';
import { type Block, pin } from '../libc.ts';
import { loadOpenSslDtls, type OpenSslDtls, SSL } from './openssl.ts';

export type DtlsRole = 'CLIENT' | 'SERVER';

/** Our key for sending, and the peer's. */
export type DtlsKeys = { readonly send: MasterKey; readonly receive: MasterKey };

/** The size is below what IPv6 guarantees, and what tunnels leave. */
const MTU_BYTES = 1200;
const RECORD_HEADER_BYTES = 13;
const YEARS_10_S = 10 * 365 * 86_400;

/** The profiles in order of preference; the numbers are those of RFC 5764, 4.1.2 and RFC 7714, 14.2. */
const PROFILES: readonly (readonly [name: string, number: number, suite: SrtpSuite])[] = [
  ['SRTP_AEAD_AES_128_GCM', 7, 'AEAD_AES_128_GCM'],
  ['SRTP_AES128_CM_SHA1_80', 1, 'AES_CM_128_HMAC_SHA1_80'],
  ['SRTP_AES128_CM_SHA1_32', 2, 'AES_CM_128_HMAC_SHA1_32'],
];
const EXPORTER = 'EXTRACTOR-dtls_srtp';
/** The hash functions of RFC 8122, 5, that are still acceptable. */
const HASHES = new Set(['sha-1', 'sha-224', 'sha-256', 'sha-384', 'sha-512']);

// These are offsets in the scratch memory.
const TEXT = 64;
const INPUT = 4096;
const OUTPUT = 8192;
const OUTPUT_BYTES = 32_768;

/** A certificate and its key, as DER: the threads of an agent share them, so that the agent has one fingerprint. */
export type DtlsIdentity = { readonly key: Uint8Array; readonly certificate: Uint8Array };

/** The common parts of all handshakes: a certificate, and the request for SRTP. */
export class DtlsContext {
  /** The SHA-256 of the certificate, in the form of a=fingerprint. */
  readonly fingerprint: string;
  readonly identity: DtlsIdentity;
  readonly ssl: OpenSslDtls;
  readonly memory: Block = pin(OUTPUT + OUTPUT_BYTES);
  readonly #context: number;

  /** Creates a certificate unless one is given. Throws if OpenSSL is not available, or fails. */
  constructor(identity: DtlsIdentity | null = null) {
    const ssl = loadOpenSslDtls();
    if (ssl instanceof Error) throw ssl;
    this.ssl = ssl;
    const keyDer = identity?.key ?? createKey();
    const key = this.#read(ssl.d2i_AutoPrivateKey, keyDer);
    const certificate = identity ? this.#read(ssl.d2i_X509, identity.certificate) : this.#createCertificate(key);
    this.identity = { key: keyDer, certificate: identity?.certificate ?? this.#write(certificate) };
    this.fingerprint = this.fingerprintOf(certificate, 'sha-256');
    this.#context = ssl.SSL_CTX_new(ssl.DTLS_method());
    const done =
      ssl.SSL_CTX_use_certificate(this.#context, certificate) === 1 &&
      ssl.SSL_CTX_use_PrivateKey(this.#context, key) === 1 &&
      ssl.SSL_CTX_set_tlsext_use_srtp(this.#context, PROFILES.map(([name]) => name).join(':')) === 0;
    ssl.X509_free(certificate);
    ssl.EVP_PKEY_free(key);
    if (!done) throw new Error(`DTLS cannot be set up: ${this.reason()}`);
    ssl.SSL_CTX_set_options(this.#context, SSL.SSL_OP_NO_QUERY_MTU | SSL.SSL_OP_NO_TICKET);
    ssl.SSL_CTX_ctrl(this.#context, SSL.SSL_CTRL_SET_MIN_PROTO_VERSION, SSL.DTLS1_2_VERSION, 0);
    ssl.SSL_CTX_ctrl(this.#context, SSL.SSL_CTRL_SET_SESS_CACHE_MODE, 0, 0);
    ssl.SSL_CTX_ctrl(this.#context, SSL.SSL_CTRL_MODE, SSL.SSL_MODE_RELEASE_BUFFERS, 0);
    ssl.trustAnyCertificate(this.#context);
  }

  /** Throws if OpenSSL is out of memory. */
  handshake(role: DtlsRole): DtlsHandshake {
    return new DtlsHandshake(this, this.ssl.SSL_new(this.#context), role);
  }

  close(): void {
    this.ssl.SSL_CTX_free(this.#context);
  }

  /** Upper-case hex with colons (RFC 8122, 5); empty if the hash function is not known here. */
  fingerprintOf(certificate: number, hash: string): string {
    const name = hash.toLowerCase();
    if (!HASHES.has(name)) return '';
    const { ssl, memory } = this;
    ssl.X509_digest(
      certificate,
      ssl.EVP_get_digestbyname(name.replace('-', '')),
      memory.address + TEXT,
      memory.address,
    );
    const bytes = memory.bytes.slice(TEXT, TEXT + memory.u32[0]!);
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
  }

  /** Returns OpenSSL's errors and empties their queue, because node uses the same queue. */
  reason(): string {
    const { ssl, memory } = this;
    const code = ssl.ERR_get_error();
    ssl.ERR_clear_error();
    if (Number(code) === 0) return 'no reason was given';
    ssl.ERR_error_string_n(code, memory.address + TEXT, 256);
    const text = memory.bytes.subarray(TEXT, memory.bytes.indexOf(0, TEXT));
    return String.fromCharCode(...text);
  }

  #read(parse: (out: number, from: number, length: number) => number, der: Uint8Array): number {
    const { memory } = this;
    memory.bytes.set(der, INPUT);
    memory.u64[0] = BigInt(memory.address + INPUT);
    const object = parse(0, memory.address, der.length);
    memory.bytes.fill(0, INPUT, INPUT + der.length);
    if (object === 0) throw new Error(`the DTLS certificate or its key cannot be read: ${this.reason()}`);
    return object;
  }

  #write(certificate: number): Uint8Array {
    const { ssl, memory } = this;
    memory.u64[0] = BigInt(memory.address + INPUT);
    return memory.bytes.slice(INPUT, INPUT + ssl.i2d_X509(certificate, memory.address));
  }

  /** Self-signed. Only the fingerprint identifies it, so the name does not matter (RFC 8827, 6.5). */
  #createCertificate(key: number): number {
    const { ssl } = this;
    const certificate = ssl.X509_new();
    ssl.X509_set_version(certificate, 2);
    ssl.ASN1_INTEGER_set(ssl.X509_get_serialNumber(certificate), randomInt(1, 2 ** 31));
    ssl.X509_gmtime_adj(ssl.X509_getm_notBefore(certificate), -86_400);
    ssl.X509_gmtime_adj(ssl.X509_getm_notAfter(certificate), YEARS_10_S);
    ssl.X509_set_pubkey(certificate, key);
    const name = ssl.X509_get_subject_name(certificate);
    ssl.X509_NAME_add_entry_by_txt(name, 'CN', SSL.MBSTRING_ASC, 'carillon', -1, -1, 0);
    ssl.X509_set_issuer_name(certificate, name);
    if (ssl.X509_sign(certificate, key, ssl.EVP_get_digestbyname('sha256')) === 0)
      throw new Error(`the DTLS certificate cannot be signed: ${this.reason()}`);
    return certificate;
  }
}

const createKey = (): Uint8Array =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'der', type: 'pkcs8' });

/** One association. Call `flush` after any call that may produce output. */
export class DtlsHandshake {
  readonly role: DtlsRole;
  /** Why it failed; null: it has not failed. */
  failure: string | null = null;
  readonly #shared: DtlsContext;
  #handle: number;
  readonly #input: number;
  readonly #output: number;
  #done = false;

  constructor(shared: DtlsContext, handle: number, role: DtlsRole) {
    const { ssl } = shared;
    this.#shared = shared;
    this.#handle = handle;
    this.role = role;
    if (handle === 0) throw new Error(`DTLS failed: ${shared.reason()}`);
    this.#input = ssl.BIO_new(ssl.BIO_s_mem());
    this.#output = ssl.BIO_new(ssl.BIO_s_mem());
    if (this.#input === 0 || this.#output === 0) {
      ssl.BIO_free(this.#input);
      ssl.BIO_free(this.#output);
      ssl.SSL_free(handle);
      throw new Error(`DTLS failed: ${shared.reason()}`);
    }
    // An empty buffer must not count as the end.
    ssl.BIO_ctrl(this.#input, SSL.BIO_C_SET_BUF_MEM_EOF_RETURN, -1, 0);
    ssl.BIO_ctrl(this.#output, SSL.BIO_C_SET_BUF_MEM_EOF_RETURN, -1, 0);
    ssl.SSL_set_bio(handle, this.#input, this.#output);
    ssl.SSL_ctrl(handle, SSL.SSL_CTRL_SET_MTU, MTU_BYTES, 0);
    if (role === 'CLIENT') ssl.SSL_set_connect_state(handle);
    else ssl.SSL_set_accept_state(handle);
  }

  get established(): boolean {
    return this.#done;
  }

  /**
   * Handles a datagram of the peer, or continues without one (start of a client). Takes about 0.1 to 0.5 ms of
   * cryptography.
   */
  step(datagram: Uint8Array | null): void {
    if (this.#handle === 0 || this.failure !== null) return;
    const { ssl, memory } = this.#shared;
    if (datagram) {
      const length = Math.min(datagram.length, OUTPUT - INPUT);
      memory.bytes.set(datagram.subarray(0, length), INPUT);
      ssl.BIO_write(this.#input, memory.address + INPUT, length);
    }
    // Once established, reading answers what the peer repeats because our last flight was lost.
    const result = this.#done
      ? ssl.SSL_read(this.#handle, memory.address + INPUT, OUTPUT - INPUT)
      : ssl.SSL_do_handshake(this.#handle);
    if (this.#done) ssl.ERR_clear_error();
    else if (result === 1) this.#done = true;
    else if (ssl.SSL_get_error(this.#handle, result) !== SSL.SSL_ERROR_WANT_READ) this.failure = this.#shared.reason();
  }

  /** Repeats the last flight if it is due. True: there may be something to send. */
  tick(): boolean {
    if (this.#handle === 0 || this.#done || this.failure !== null) return false;
    const { ssl } = this.#shared;
    const repeated = ssl.SSL_ctrl(this.#handle, SSL.DTLS_CTRL_HANDLE_TIMEOUT, 0, 0);
    if (repeated < 0) this.failure = this.#shared.reason();
    return repeated !== 0;
  }

  /** Emits the datagrams to send; each is valid during the call. */
  flush(send: (datagram: Uint8Array) => void): void {
    if (this.#handle === 0) return;
    const { ssl, memory } = this.#shared;
    const length = ssl.BIO_read(this.#output, memory.address + OUTPUT, OUTPUT_BYTES);
    let from = 0;
    // Datagrams contain whole records, as many as fit (RFC 6347, 4.1.1).
    for (let end = 0; end + RECORD_HEADER_BYTES <= length; ) {
      const at = OUTPUT + end;
      const record = RECORD_HEADER_BYTES + ((memory.bytes[at + 11]! << 8) | memory.bytes[at + 12]!);
      if (end > from && end + record - from > MTU_BYTES) {
        send(memory.bytes.subarray(OUTPUT + from, OUTPUT + end));
        from = end;
      }
      end += record;
      if (end >= length) send(memory.bytes.subarray(OUTPUT + from, OUTPUT + end));
    }
  }

  /** The fingerprint of the peer's certificate, once established. */
  peerFingerprint(hash: string): string {
    const { ssl } = this.#shared;
    const certificate = ssl.SSL_get1_peer_certificate(this.#handle);
    if (certificate === 0) return '';
    const fingerprint = this.#shared.fingerprintOf(certificate, hash);
    ssl.X509_free(certificate);
    return fingerprint;
  }

  /** Available once established. Null: the peer supports no SRTP, or none of our profiles. */
  keys(): DtlsKeys | null {
    const { ssl, memory } = this.#shared;
    const number = ssl.selectedSrtpProfile(this.#handle);
    const profile = PROFILES.find((one) => one[1] === number);
    if (!profile) return null;
    const suite = profile[2];
    const saltBytes = SUITES[suite].saltBytes;
    const bytes = 2 * (16 + saltBytes);
    const address = memory.address + INPUT;
    if (ssl.SSL_export_keying_material(this.#handle, address, bytes, EXPORTER, EXPORTER.length, 0, 0, 0) !== 1)
      return null;
    // The keys of client and server come first, then their salts (RFC 5764, 4.2).
    const material = memory.bytes.slice(INPUT, INPUT + bytes);
    memory.bytes.fill(0, INPUT, INPUT + bytes);
    const part = (side: number): MasterKey => {
      const salt = 32 + side * saltBytes;
      return masterKey(
        suite,
        Uint8Array.from([
          ...material.subarray(side * 16, side * 16 + 16),
          ...material.subarray(salt, salt + saltBytes),
        ]),
      );
    };
    const [client, server] = [part(0), part(1)];
    return this.role === 'CLIENT' ? { send: client, receive: server } : { send: server, receive: client };
  }

  close(): void {
    if (this.#handle !== 0) this.#shared.ssl.SSL_free(this.#handle);
    this.#handle = 0;
  }
}
