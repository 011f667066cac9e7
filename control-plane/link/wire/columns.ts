/** Tables of facts whose columns have equal length. */
import { FrameError } from '@carillon/proto';

/** Returns the message if its columns of these names have equal length. @throws FrameError */
export function columns<T extends object, K extends keyof T & string>(
  what: string,
  message: T,
  names: readonly K[],
): Pick<T, K> {
  const lengths = new Set(names.map((name) => (message[name] as ArrayLike<unknown>).length));
  if (lengths.size > 1) throw new FrameError(`facts: the columns of ${what} differ in length`);
  return message;
}
