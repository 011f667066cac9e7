/** Tests wait for conditions (CONTRIBUTING.md): none waits for a literal time of 100 ms or more, but for a reason that is named. */
import { read, sources } from '../sources.ts';

const WAIT = /\b(?:setTimeout|sleep)\((?:[^;{}]{0,120}, )?\d[\d_]{2,}\)/g;

/** The files that may, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'control-plane/http/clients.test.ts': 'it is an example of a client, which knows no helper of tests',
  'control-plane/link/attacks.test.ts': 'the pace at which an attacker comes back',
  'scripts/e2e/dashboard/newcomer.test.ts': 'the end of a program that does not stop by itself',
  'scripts/e2e/load/memory.test.ts': 'the pace that the budget of a key permits',
};

/** The places where a test waits for a time, and files that may but do not, one line each. */
export function timedWaits(): string[] {
  const found = sources()
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...read(file).matchAll(WAIT)].map((match) => ({ file, match })));
  const waiting = new Set(found.map(({ file }) => file));
  return [
    ...found
      .filter(({ file }) => !Object.hasOwn(ALLOWED, file))
      .map(({ file, match }) => {
        const line = read(file).slice(0, match.index).split('\n').length;
        return `${file}:${line} waits for a time: wait for a condition (until, holds)`;
      }),
    ...Object.keys(ALLOWED)
      .filter((file) => !waiting.has(file))
      .map((file) => `${file} may wait for a time by scripts/check/code/waits.ts, and does not`),
  ];
}
