/** Guesses beyond a limit: what is answered from memory, for how long, and that each is counted. */
import { mock } from 'node:test';
import t from 'tap';
import { ApiError } from '../contract/errors.ts';
import type { Ports } from '../ports.ts';
import { forgetRefusals, keepRefusal, repeatedRefusal } from './repeated-refusals.ts';

const REFUSAL = new ApiError('RATE_LIMITED', 'Too many failed attempts.', [], 900);
mock.timers.enable({ apis: ['setTimeout', 'Date'] });
t.teardown(() => mock.timers.reset());

function openMemory() {
  const ports = { database: {}, now: () => new Date() } as Ports;
  const written: number[] = [];
  return {
    ports,
    written,
    keep: (guesser: string) => keepRefusal(ports, guesser, REFUSAL, (count) => void written.push(count)),
    ask: (guesser: string) => repeatedRefusal(ports, guesser),
  };
}

t.test('a flood is answered from memory for a second, and written as one count', async (t) => {
  const { keep, ask, written } = openMemory();
  t.equal(ask('a'), null);
  keep('a');
  mock.timers.tick(999);
  for (let n = 0; n < 500; n++) t.equal(ask('a'), REFUSAL);
  t.equal(ask('b'), null, 'another guesser is looked at');
  t.same(written, []);
  mock.timers.tick(1);
  t.same(written, [500]);
  t.equal(ask('a'), null, 'then one guess is looked at again');
  keep('b');
  mock.timers.tick(1000);
  t.same(written, [500], 'nothing is written where nothing came');
});

t.test('it is bounded, ends with the clock of limits, and is forgotten with them', async (t) => {
  const { ports, keep, ask } = openMemory();
  for (let n = 0; n < 5000; n++) keep(String(n));
  t.equal(Array.from({ length: 5000 }, (_, n) => ask(String(n))).filter(Boolean).length, 1000);
  const later = { ...ports, now: () => new Date(Date.now() + 15 * 60_000) };
  t.equal(repeatedRefusal(later, '0'), null, 'a new window has begun');
  const other = { ...ports, database: {} } as Ports;
  t.equal(repeatedRefusal(other, '0'), null, 'another database');
  forgetRefusals(ports);
  t.equal(ask('0'), null);
});
