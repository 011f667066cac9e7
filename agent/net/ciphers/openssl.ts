/**
 * The OpenSSL of the node binary, through FFI: this file and libc.ts are the only ones that use koffi. The system's
 * libcrypto is never used: loaded together with node's own, its symbols clash and the process crashes. Addresses are
 * those of pinned memory (libc.ts).
 */
import koffi from 'koffi';
import { boundOnce } from '../bound-once.ts';

export type OpenSsl = ReturnType<typeof bindFunctions>;

type Pointer = number;

function bindFunctions() {
  const node = koffi.load(null);
  return {
    cipherNew: node.func('uint64_t EVP_CIPHER_CTX_new()') as () => Pointer,
    cipherFree: node.func('void EVP_CIPHER_CTX_free(uint64_t)') as (context: Pointer) => void,
    cipherControl: node.func('int EVP_CIPHER_CTX_ctrl(uint64_t, int, int, uint64_t)') as (
      context: Pointer,
      type: number,
      argument: number,
      address: Pointer,
    ) => number,
    cipherInit: node.func('int EVP_CipherInit_ex(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, int)') as (
      context: Pointer,
      cipher: Pointer,
      engine: Pointer,
      key: Pointer,
      nonce: Pointer,
      encrypt: number,
    ) => number,
    cipherUpdate: node.func('int EVP_CipherUpdate(uint64_t, uint64_t, uint64_t, uint64_t, int)') as (
      context: Pointer,
      output: Pointer,
      outputLength: Pointer,
      input: Pointer,
      length: number,
    ) => number,
    cipherFinal: node.func('int EVP_CipherFinal_ex(uint64_t, uint64_t, uint64_t)') as (
      context: Pointer,
      output: Pointer,
      outputLength: Pointer,
    ) => number,
    aes128Counter: node.func('uint64_t EVP_aes_128_ctr()') as () => Pointer,
    aes128Gcm: node.func('uint64_t EVP_aes_128_gcm()') as () => Pointer,
    sha1: node.func('uint64_t EVP_sha1()') as () => Pointer,
    hmacNew: node.func('uint64_t HMAC_CTX_new()') as () => Pointer,
    hmacFree: node.func('void HMAC_CTX_free(uint64_t)') as (context: Pointer) => void,
    hmacInit: node.func('int HMAC_Init_ex(uint64_t, uint64_t, int, uint64_t, uint64_t)') as (
      context: Pointer,
      key: Pointer,
      length: number,
      digest: Pointer,
      engine: Pointer,
    ) => number,
    hmacUpdate: node.func('int HMAC_Update(uint64_t, uint64_t, size_t)') as (
      context: Pointer,
      data: Pointer,
      length: number,
    ) => number,
    hmacFinal: node.func('int HMAC_Final(uint64_t, uint64_t, uint64_t)') as (
      context: Pointer,
      digest: Pointer,
      length: Pointer,
    ) => number,
    clearErrors: node.func('void ERR_clear_error()') as () => void,
  };
}

export type OpenSslDtls = ReturnType<typeof bindDtls>;

/** The functions of a handshake: they are called some ten times for a stream, and named as OpenSSL names them. */
function bindDtls() {
  const node = koffi.load(null);
  const bind = <F>(prototype: string): F => node.func(prototype) as F;
  type Get = (object: Pointer) => Pointer;
  type Do = (object: Pointer) => void;
  const srtpProfile = koffi.struct({ name: 'const char *', id: 'unsigned long' });
  const selectedProfile = node.func('SSL_get_selected_srtp_profile', koffi.pointer(srtpProfile), ['uint64_t']);
  const verify = koffi.pointer(koffi.proto('int (int trusted, uint64_t store)'));
  const setVerify = node.func('SSL_CTX_set_verify', 'void', ['uint64_t', 'int', verify]);
  // A self-signed certificate is trusted only by its fingerprint, which is compared after the handshake.
  const trustAny = koffi.register(() => 1, verify);
  return {
    d2i_AutoPrivateKey: bind<(out: Pointer, from: Pointer, length: number) => Pointer>(
      'uint64_t d2i_AutoPrivateKey(uint64_t, uint64_t, long)',
    ),
    d2i_X509: bind<(out: Pointer, from: Pointer, length: number) => Pointer>(
      'uint64_t d2i_X509(uint64_t, uint64_t, long)',
    ),
    i2d_X509: bind<(x509: Pointer, out: Pointer) => number>('int i2d_X509(uint64_t, uint64_t)'),
    EVP_PKEY_free: bind<Do>('void EVP_PKEY_free(uint64_t)'),
    EVP_get_digestbyname: bind<(name: string) => Pointer>('uint64_t EVP_get_digestbyname(const char *)'),
    X509_new: bind<() => Pointer>('uint64_t X509_new()'),
    X509_free: bind<Do>('void X509_free(uint64_t)'),
    X509_set_version: bind<(x509: Pointer, version: number) => number>('int X509_set_version(uint64_t, long)'),
    X509_get_serialNumber: bind<Get>('uint64_t X509_get_serialNumber(uint64_t)'),
    ASN1_INTEGER_set: bind<(integer: Pointer, value: number) => number>('int ASN1_INTEGER_set(uint64_t, long)'),
    X509_getm_notBefore: bind<Get>('uint64_t X509_getm_notBefore(uint64_t)'),
    X509_getm_notAfter: bind<Get>('uint64_t X509_getm_notAfter(uint64_t)'),
    X509_gmtime_adj: bind<(time: Pointer, seconds: number) => Pointer>('uint64_t X509_gmtime_adj(uint64_t, long)'),
    X509_set_pubkey: bind<(x509: Pointer, key: Pointer) => number>('int X509_set_pubkey(uint64_t, uint64_t)'),
    X509_get_subject_name: bind<Get>('uint64_t X509_get_subject_name(uint64_t)'),
    X509_NAME_add_entry_by_txt: bind<
      (name: Pointer, field: string, type: number, text: string, length: number, at: number, set: number) => number
    >('int X509_NAME_add_entry_by_txt(uint64_t, const char *, int, const char *, int, int, int)'),
    X509_set_issuer_name: bind<(x509: Pointer, name: Pointer) => number>(
      'int X509_set_issuer_name(uint64_t, uint64_t)',
    ),
    X509_sign: bind<(x509: Pointer, key: Pointer, digest: Pointer) => number>(
      'int X509_sign(uint64_t, uint64_t, uint64_t)',
    ),
    X509_digest: bind<(x509: Pointer, digest: Pointer, out: Pointer, length: Pointer) => number>(
      'int X509_digest(uint64_t, uint64_t, uint64_t, uint64_t)',
    ),
    DTLS_method: bind<() => Pointer>('uint64_t DTLS_method()'),
    SSL_CTX_new: bind<Get>('uint64_t SSL_CTX_new(uint64_t)'),
    SSL_CTX_free: bind<Do>('void SSL_CTX_free(uint64_t)'),
    SSL_CTX_ctrl: bind<(context: Pointer, command: number, number: number, address: Pointer) => number>(
      'long SSL_CTX_ctrl(uint64_t, int, long, uint64_t)',
    ),
    SSL_CTX_set_options: bind<(context: Pointer, options: number) => number>(
      'uint64_t SSL_CTX_set_options(uint64_t, uint64_t)',
    ),
    SSL_CTX_use_certificate: bind<(context: Pointer, x509: Pointer) => number>(
      'int SSL_CTX_use_certificate(uint64_t, uint64_t)',
    ),
    SSL_CTX_use_PrivateKey: bind<(context: Pointer, key: Pointer) => number>(
      'int SSL_CTX_use_PrivateKey(uint64_t, uint64_t)',
    ),
    SSL_CTX_set_tlsext_use_srtp: bind<(context: Pointer, profiles: string) => number>(
      'int SSL_CTX_set_tlsext_use_srtp(uint64_t, const char *)',
    ),
    /** Requests a certificate from the peer, and accepts any. */
    trustAnyCertificate: (context: Pointer): void => void setVerify(context, SSL.SSL_VERIFY_PEER_REQUIRED, trustAny),
    SSL_new: bind<Get>('uint64_t SSL_new(uint64_t)'),
    SSL_free: bind<Do>('void SSL_free(uint64_t)'),
    SSL_ctrl: bind<(ssl: Pointer, command: number, number: number, address: Pointer) => number>(
      'long SSL_ctrl(uint64_t, int, long, uint64_t)',
    ),
    SSL_set_bio: bind<(ssl: Pointer, read: Pointer, write: Pointer) => void>(
      'void SSL_set_bio(uint64_t, uint64_t, uint64_t)',
    ),
    SSL_set_connect_state: bind<Do>('void SSL_set_connect_state(uint64_t)'),
    SSL_set_accept_state: bind<Do>('void SSL_set_accept_state(uint64_t)'),
    SSL_do_handshake: bind<(ssl: Pointer) => number>('int SSL_do_handshake(uint64_t)'),
    SSL_read: bind<(ssl: Pointer, out: Pointer, length: number) => number>('int SSL_read(uint64_t, uint64_t, int)'),
    SSL_get_error: bind<(ssl: Pointer, result: number) => number>('int SSL_get_error(uint64_t, int)'),
    SSL_get1_peer_certificate: bind<Get>('uint64_t SSL_get1_peer_certificate(uint64_t)'),
    /** The number of the profile in RFC 5764's registry; null: none was negotiated. */
    selectedSrtpProfile(ssl: Pointer): number | null {
      const profile = selectedProfile(ssl);
      return profile === null ? null : Number(koffi.decode(profile, srtpProfile).id);
    },
    SSL_export_keying_material: bind<
      (ssl: Pointer, out: Pointer, length: number, label: string, labelLength: number, ...none: number[]) => number
    >('int SSL_export_keying_material(uint64_t, uint64_t, size_t, const char *, size_t, uint64_t, size_t, int)'),
    BIO_s_mem: bind<() => Pointer>('uint64_t BIO_s_mem()'),
    BIO_new: bind<Get>('uint64_t BIO_new(uint64_t)'),
    BIO_free: bind<(bio: Pointer) => number>('int BIO_free(uint64_t)'),
    BIO_ctrl: bind<(bio: Pointer, command: number, number: number, address: Pointer) => number>(
      'long BIO_ctrl(uint64_t, int, long, uint64_t)',
    ),
    BIO_write: bind<(bio: Pointer, data: Pointer, length: number) => number>('int BIO_write(uint64_t, uint64_t, int)'),
    BIO_read: bind<(bio: Pointer, out: Pointer, length: number) => number>('int BIO_read(uint64_t, uint64_t, int)'),
    ERR_get_error: bind<() => number | bigint>('unsigned long ERR_get_error()'),
    ERR_error_string_n: bind<(code: number | bigint, out: Pointer, length: number) => void>(
      'void ERR_error_string_n(unsigned long, uint64_t, size_t)',
    ),
    ERR_clear_error: bind<() => void>('void ERR_clear_error()'),
  };
}

const NEEDS = 'OpenSSL by FFI needs';

/** OpenSSL's functions: node may be built with another library. */
export const loadOpenSsl = boundOnce(NEEDS, 'node does not export its OpenSSL', bindFunctions);

const dtls = boundOnce(NEEDS, 'node does not export its DTLS', bindDtls);

/** Like `loadOpenSsl`, for DTLS. */
export function loadOpenSslDtls(): OpenSslDtls | Error {
  const openssl = loadOpenSsl();
  return openssl instanceof Error ? openssl : dtls();
}

/** Constants of OpenSSL under their C names. */
export const SSL = {
  EVP_CTRL_AEAD_GET_TAG: 0x10,
  EVP_CTRL_AEAD_SET_TAG: 0x11,
  SSL_VERIFY_PEER_REQUIRED: 3, // SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
  SSL_ERROR_WANT_READ: 2,
  SSL_CTRL_SET_MTU: 17,
  SSL_CTRL_MODE: 33,
  SSL_CTRL_SET_SESS_CACHE_MODE: 44,
  DTLS_CTRL_HANDLE_TIMEOUT: 74,
  SSL_CTRL_SET_MIN_PROTO_VERSION: 123,
  SSL_MODE_RELEASE_BUFFERS: 0x10,
  SSL_OP_NO_QUERY_MTU: 1 << 12,
  SSL_OP_NO_TICKET: 1 << 14,
  DTLS1_2_VERSION: 0xfefd,
  BIO_C_SET_BUF_MEM_EOF_RETURN: 130,
  MBSTRING_ASC: 0x1001,
} as const;
