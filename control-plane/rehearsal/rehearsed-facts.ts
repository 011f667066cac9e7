/** Facts of invented calls, as an agent encodes those of a load: most without detail, some with events and messages. */
import { compressed, type wire } from '@carillon/proto';
import { readFigures } from '@carillon/proto/figures/call-figures.ts';
import { PHASES } from '../contract/words.ts';

type Facts = wire.agent.v1.Facts.$Properties;

export type RehearsedCalls = {
  readonly allocationId: Uint8Array;
  /** Number of the first one. */
  readonly first: number;
  readonly calls: number;
  readonly atMs: number;
};

/** Of this many calls one has its detail kept. */
const KEPT_OF = 3;
/** Fractions, as clocks have them: V8 compiles other code for integers. */
const CALL_MS = 1000.37;
/** As long as in practice: short texts are read by other code. */
const TARGET = '192.0.2.101:45386';
const URI = `sip:rehearsal@${TARGET}`;

/** Of an answered call: method, status (0: a request), whether the caller sent it. */
const MESSAGES = [
  ['INVITE', 0, true],
  ['INVITE', 180, false],
  ['INVITE', 200, false],
  ['ACK', 0, true],
  ['BYE', 0, true],
  ['BYE', 200, false],
] as const;
const UNDER_WAY = ['CALLING', 'RINGING', 'INCALL', 'DISCONNECTING'].map((phase) => PHASES.indexOf(phase as never));
const STEPS = [...UNDER_WAY, PHASES.indexOf('CLOSED')];
const TEXT = Buffer.from(`INVITE ${URI} SIP/2.0\r\nVia: SIP/2.0/UDP ${TARGET}\r\nContent-Length: 0\r\n\r\n`);

const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);
const callIdOf = (number: number): string => `rehearsal-${number}@192.0.2.102`;

/** Those calls end, and half as many are under way. */
export function rehearsedFacts({ allocationId, first, calls, atMs }: RehearsedCalls): Facts {
  const ended = numbers(first, calls);
  const kept = ended.filter((number) => number % KEPT_OF === 0);
  const others = ended.filter((number) => number % KEPT_OF !== 0);
  const open = numbers(first + calls, Math.ceil(calls / 2)).filter((number) => number % KEPT_OF !== 0);
  const closed = phases(others, STEPS);
  const under = phases(open, UNDER_WAY.slice(0, 3));
  const histogram = { bucket: numbers(90, 60), count: numbers(1, 60), sum: 686.91, min: 0.12, max: 37.97 };
  const none = { bucket: [], count: [], sum: 0, min: 0, max: 0 };
  return {
    allocations: [
      {
        allocationId,
        baseUnixMs: atMs,
        phases: phases(kept, STEPS),
        progress: {
          endpoint: [...closed.endpoint, ...under.endpoint],
          phase: [...closed.phase, ...under.phase],
          atMs: [...closed.atMs, ...under.atMs],
        },
        outcomes: ended.map((number) => outcome(number, atMs)),
        sipCounts: {
          sent: MESSAGES.map(([, , sent]) => sent),
          method: MESSAGES.map(([method]) => method),
          status: MESSAGES.map(([, status]) => status),
          reason: MESSAGES.map(([, status]) => (status === 200 ? 'OK' : '')),
          count: MESSAGES.map(() => calls),
          retransmissions: MESSAGES.map(() => 0),
        },
        messageBlocks: [messageBlock(kept)],
        startNoise: {
          unixMs: atMs,
          ...{ inviteLateMs: histogram, actionLateMs: first === 0 ? none : histogram },
          ...{ planned: calls, started: calls, notStarted: 0, heldBack: 0, noFreeEndpoint: 0 },
        },
        tally: { atMs: [-1537.69, -537.69], calls: [calls, calls], failures: [0, 0], blocked: [0, 0] },
      },
    ],
    noise: [
      {
        ...{ fromUnixMs: atMs - 1000, seconds: 1, pacingErrorMs: histogram, loopDelayMs: histogram, threadCpu: 0.12 },
        ...{ slotsPlanned: 0, slotsSkipped: 0, steal: 0, receiveDrops: 0, received: 6 * calls, clockSteps: 0 },
      },
    ],
  };
}

function phases(calls: readonly number[], steps: readonly number[]) {
  return {
    endpoint: calls.flatMap((number) => steps.map(() => number)),
    phase: calls.flatMap(() => [...steps]),
    atMs: calls.flatMap((number) => steps.map((_, i) => -CALL_MS + i * 250.13 + (number % 10) / 7)),
  };
}

function outcome(number: number, atMs: number): wire.agent.v1.Outcome.$Properties {
  return {
    endpoint: number,
    ...{ outcome: 'SUCCESS', cause: '', causeText: '', sipStatus: 0, attempted: true, callResult: 'SUCCESS' },
    ...{ finalStatus: 200, finalReason: 'OK', rang: true, calleeUri: URI, callerUri: '', callId: callIdOf(number) },
    ...readFigures(() => Number.NaN),
    timeToTryingMs: 0.37 + (number % 9) / 10,
    timeToRingingMs: 0.41 + (number % 9) / 10,
    pddMs: 0.45 + (number % 9) / 10,
    callSetupMs: 0.52 + (number % 9) / 10,
    callDurationMs: CALL_MS + (number % 7) / 10,
    inviteLateMs: 0.29 + (number % 8) / 10,
    ringDurationMs: 0.11 + (number % 5) / 10,
    byeRttMs: 0.33 + (number % 6) / 10,
    failovers: 0,
    plannedUnixMs: atMs - CALL_MS - (number % 1000),
    ...{ endedBy: 'LOCAL', tls: '', findings: [], awaitedMs: 0, absentMs: 0, pausedMs: 0, unreported: false },
    ...(number % KEPT_OF !== 0 && { kept: false }),
  };
}

function messageBlock(calls: readonly number[]): wire.agent.v1.MessageBlock.$Properties {
  const of = <T>(value: (call: number, message: number) => T): T[] =>
    calls.flatMap((_, call) => MESSAGES.map((__, message) => value(call, message)));
  return {
    text: compressed(Buffer.concat(of(() => TEXT))),
    localAddress: '192.0.2.102',
    words: [TARGET, 'INVITE', 'ACK', 'BYE', ...calls.map(callIdOf)],
    endpoint: of((call) => calls[call] as number),
    number: of((_, message) => message),
    length: of(() => TEXT.length),
    atMs: of((call, message) => -CALL_MS + message * 200.11 + call / 7),
    kind: of((_, message) => 4 * (MESSAGES[message]?.[1] ?? 0) + Number(MESSAGES[message]?.[2])),
    method: of((_, message) => ['INVITE', 'ACK', 'BYE'].indexOf(MESSAGES[message]?.[0] ?? '') + 1),
    callId: of((call) => call + 4),
    peer: of(() => 0),
    transport: of(() => 0),
    localPort: of(() => 5060),
  };
}
