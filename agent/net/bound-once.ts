/** Functions of a library by FFI, which are bound when they are first needed. */

const isSupported = (): boolean => process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64');

/**
 * A function that returns them, or the reason why they are not available here, always the same. It never throws.
 * @param needs `batched I/O needs`, of 64-bit Linux
 * @param fails what it means if `bind` throws
 */
export function boundOnce<T extends object>(needs: string, fails: string, bind: () => T): () => T | Error {
  let bound: T | Error | undefined;
  const bindHere = (): T | Error => {
    if (!isSupported())
      return new Error(`${needs} 64-bit Linux on x64 or arm64, this is ${process.platform} ${process.arch}`);
    try {
      return bind();
    } catch (error) {
      return new Error(`${fails}: ${(error as Error).message}`);
    }
  };
  return () => {
    bound ??= bindHere();
    return bound;
  };
}
