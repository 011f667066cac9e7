/**
 * Many calls through a server that creates two calls from each, and does what such servers do: it withholds numbers, answers by
 * itself, forks, retries, loses a BYE. The truth is known. The same random numbers create the same calls.
 */
import type { LooseEnd } from '../domain/pairing/loose-end.ts';

/** From 0 to 1. */
type Random = () => number;

export type MassOfCalls = {
  readonly callers: number;
  /** Callees; one call at a time each. */
  readonly accounts: number;
  /** Of each caller, in sequence. */
  readonly callsEach: number;
  /** How often the callee sees the caller's number; otherwise it sees the server's. */
  readonly sees: number;
};

const WORKERS = ['a', 'b', 'c'];
const MAX_CLOCK_ERROR_MS = 200;
const STRANGERS_SHARE = 0.05;

type Made = {
  readonly callers: LooseEnd[];
  readonly callees: LooseEnd[];
  /** Callers by callees of the same call. */
  readonly truth: ReadonlyMap<number, number>;
  readonly names: ReadonlyMap<string, number>;
};
type Instants = Pick<LooseEnd, 'beganAtMs' | 'answeredAtMs' | 'endedAtMs'> & { readonly isCancelled?: boolean };
type Fate = 'RELAYED' | 'SERVER_ANSWERS' | 'REFUSED' | 'GIVEN_UP' | 'REFUSED_ONCE' | 'FORKED' | 'QUEUED' | 'BYE_LOST';

/** Cumulative shares. */
const FATES: readonly (readonly [Fate, number])[] = [
  ['SERVER_ANSWERS', 0.05],
  ['REFUSED', 0.1],
  ['GIVEN_UP', 0.13],
  ['REFUSED_ONCE', 0.16],
  ['FORKED', 0.2],
  ['QUEUED', 0.25],
  ['BYE_LOST', 0.27],
  ['RELAYED', 1],
];

export function madeUpCalls({ callers, accounts, callsEach, sees }: MassOfCalls, random: Random): Made {
  const made = { callers: [] as LooseEnd[], callees: [] as LooseEnd[], truth: new Map<number, number>() };
  const between = (least: number, most: number): number => least + random() * (most - least);
  const errors = new Map(WORKERS.map((worker) => [worker, between(-MAX_CLOCK_ERROR_MS, MAX_CLOCK_ERROR_MS)]));
  const workerOf = (i: number): string => WORKERS[i % WORKERS.length] as string;
  const nameOf = (i: number): string => `7${i}`;
  const accountOf = (i: number): string => `2${i}`;
  const busyUntil = new Array<number>(accounts).fill(0);
  let number = 0;

  const end = (
    i: number,
    { beganAtMs, answeredAtMs, endedAtMs, isCancelled = false }: Instants,
    of: Pick<LooseEnd, 'names' | 'other'>,
  ) => {
    const workerId = workerOf(i);
    const error = errors.get(workerId) as number;
    const at = (ms: number): number => ms + error + between(0, 3);
    const instants = { beganAtMs: at(beganAtMs), answeredAtMs: at(answeredAtMs), endedAtMs: at(endedAtMs) };
    return { number: number++, workerId, ...instants, isCancelled, ...of, ssrcSent: null, ssrcReceived: null };
  };
  const relayMs = (): number => (random() < 0.02 ? between(200, 900) : between(1, 30));
  const far = (account: number, caller: number, instants: Instants): LooseEnd => {
    const other = random() < sees ? nameOf(caller) : 'pbx';
    busyUntil[account] = Math.max(busyUntil[account] as number, instants.endedAtMs + 20);
    const one = end(account + 1, instants, { names: [`e${account}`, accountOf(account)], other });
    made.callees.push(one);
    return one;
  };

  /** When the caller is free again. */
  function call(caller: number, beganAtMs: number): number {
    const account = Math.floor(random() * accounts);
    const draw = random();
    const fate = FATES.find(([, share]) => draw < share)?.[0] as Fate;
    const near = (answeredAtMs: number, endedAtMs: number, isCancelled = false): LooseEnd => {
      const one = end(
        caller,
        { beganAtMs, answeredAtMs, endedAtMs, isCancelled },
        { names: [nameOf(caller)], other: accountOf(account) },
      );
      made.callers.push(one);
      return one;
    };
    const NEVER = Number.NaN;
    const lengthMs = between(500, 10_000);
    if ((busyUntil[account] as number) > beganAtMs) {
      const endedAtMs = beganAtMs + relayMs();
      near(NEVER, endedAtMs);
      return endedAtMs;
    }
    const cameAtMs = beganAtMs + relayMs() + (fate === 'QUEUED' ? between(1000, 5000) : 0);
    const upAtMs = cameAtMs + between(10, 3000);
    const overAtMs = upAtMs + lengthMs;
    const answered = { beganAtMs: cameAtMs, answeredAtMs: upAtMs, endedAtMs: overAtMs };
    const refused = { ...answered, answeredAtMs: NEVER, endedAtMs: upAtMs };
    if (fate === 'SERVER_ANSWERS') near(cameAtMs, overAtMs);
    else if (fate === 'REFUSED')
      made.truth.set(far(account, caller, refused).number, near(NEVER, upAtMs + relayMs()).number);
    else if (fate === 'GIVEN_UP') {
      const cancelled = { ...refused, endedAtMs: upAtMs + relayMs(), isCancelled: true };
      made.truth.set(far(account, caller, cancelled).number, near(NEVER, upAtMs, true).number);
    } else if (fate === 'REFUSED_ONCE') {
      far(account, caller, refused);
      const again = { beganAtMs: upAtMs + 500, answeredAtMs: upAtMs + 600, endedAtMs: overAtMs + 600 };
      made.truth.set(
        far(account, caller, again).number,
        near(upAtMs + 600 + relayMs(), overAtMs + 600 + relayMs()).number,
      );
    } else if (fate === 'FORKED') {
      far(account, caller, { ...refused, endedAtMs: upAtMs + relayMs(), isCancelled: true });
      const other = (account + 1) % accounts;
      if ((busyUntil[other] as number) < beganAtMs) far(other, caller, answered);
      near(upAtMs + relayMs(), overAtMs + relayMs());
    } else {
      const lost = fate === 'BYE_LOST' ? 32_000 : 0;
      const there = far(account, caller, { ...answered, endedAtMs: overAtMs + lost });
      const nearUpMs = fate === 'QUEUED' ? beganAtMs + 5 : upAtMs + relayMs();
      made.truth.set(there.number, near(nearUpMs, overAtMs + relayMs()).number);
    }
    return overAtMs + 1000;
  }

  const next = Array.from({ length: callers }, (_, caller) => ({ caller, atMs: between(0, 30_000), left: callsEach }));
  for (let round = next; round.length > 0; round = round.filter(({ left }) => left > 0))
    for (const one of round.toSorted((a, b) => a.atMs - b.atMs)) {
      if (random() < STRANGERS_SHARE) stranger(one.atMs);
      one.left -= 1;
      one.atMs = call(one.caller, one.atMs) + between(20, 4000);
    }

  function stranger(beganAtMs: number): void {
    const account = Math.floor(random() * accounts);
    if ((busyUntil[account] as number) > beganAtMs) return;
    const upAtMs = beganAtMs + between(10, 3000);
    const instants = { beganAtMs, answeredAtMs: upAtMs, endedAtMs: upAtMs + between(500, 10_000) };
    busyUntil[account] = instants.endedAtMs;
    made.callees.push(end(account + 1, instants, { names: [`e${account}`, accountOf(account)], other: 'stranger' }));
  }
  return { ...made, names: new Map(Array.from({ length: callers }, (_, i) => [nameOf(i), 1])) };
}
