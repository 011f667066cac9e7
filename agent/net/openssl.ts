/**
 * The OpenSSL that is part of the node binary, through FFI: with libc.ts the only files that know koffi. Never the system's libcrypto:
 * loaded beside node's own, its symbols clash with node's and the process dies. Addresses are those of pinned memory (libc.ts).
 */
import koffi from 'koffi';

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

let bound: OpenSsl | Error | undefined;

/** OpenSSL's functions, or the reason why they cannot be had here: node may be built with another library. Never throws. */
export function loadOpenSsl(): OpenSsl | Error {
  if (bound) return bound;
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) {
    bound = new Error(`OpenSSL by FFI needs 64-bit Linux on x64 or arm64, this is ${process.platform} ${process.arch}`);
    return bound;
  }
  try {
    bound = bindFunctions();
  } catch (error) {
    bound = new Error(`node does not show its OpenSSL: ${(error as Error).message}`);
  }
  return bound;
}

/** Constants of OpenSSL under their C names. */
export const SSL = {
  EVP_CTRL_AEAD_GET_TAG: 0x10,
  EVP_CTRL_AEAD_SET_TAG: 0x11,
} as const;
