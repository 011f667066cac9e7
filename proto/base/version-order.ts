/** Which of two versions is older, of programs that talk to each other. Pure. */

export type VersionOrder = 'SAME' | 'OLDER' | 'NEWER';

const numbers = (version: string): number[] => (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);

/** `one`, compared with `other`: `0.9.0` is OLDER than `0.10.0`. What follows the numbers is not compared. */
export function versionOrder(one: string, other: string): VersionOrder {
  const [a, b] = [numbers(one), numbers(other)];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference < 0 ? 'OLDER' : 'NEWER';
  }
  return 'SAME';
}
