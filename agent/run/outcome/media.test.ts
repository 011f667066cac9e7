/**
 * From the descriptions of two endpoints to the findings of their calls: sessions that change during a stream, which comes,
 * pauses and stops. Streams here are a packet every 20 ms while the far end's session permits sending.
 */
import { absentMs, beginAwaiting, pausedMs, stopAwaiting } from '@carillon/media/rtp/absence.ts';
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { emptyRtpPacket } from '@carillon/media/rtp/header.ts';
import { endReceiving, observePacket } from '@carillon/media/rtp/receive.ts';
import { beginReceiving, RECEIVE_COLUMNS } from '@carillon/media/rtp/receive-columns.ts';
import t from 'tap';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import { AUDIO, CALL_MS, type MediaStep, PairWorld, sharePlan } from '../../testing/run/pair.ts';
import type { ActionPlan, GroupPlan, StepPlan } from '../plan.ts';
import { settleCall } from './settle-call.ts';

const after = (afterMs: number, step: StepPlan): ActionPlan => ({
  trigger: { on: 'ANSWERED', afterMs, heard: '' },
  step,
});
const HOLD: StepPlan = { do: 'HOLD' };
const RESUME: StepPlan = { do: 'RESUME' };
/** Intervals of the agent's clock in which no packet arrives, whatever was negotiated. */
type Dead = readonly (readonly [fromMs: number, toMs: number])[];

const sessionAt = (history: readonly MediaStep[], atMs: number) =>
  history.findLast((step) => 'session' in step && step.atMs <= atMs) as
    | Extract<MediaStep, { session: unknown }>
    | undefined;

/** The record of the stream at `port`, to which the one at `from` sends. */
function heardAt(world: PairWorld, port: number, from: number, dead: Dead): StreamRecord {
  const ours = world.histories.get(port) ?? [];
  const theirs = world.histories.get(from) ?? [];
  const c = mapColumns(RECEIVE_COLUMNS, 1, new SharedArrayBuffer(columnsBytes(RECEIVE_COLUMNS, 1)));
  beginReceiving(c, 0, 0, 8000);
  const endMs = ours.at(-1)?.atMs ?? 0;
  let sequence = 0;
  let received = 0;
  let read = 0;
  for (let nowMs = 1; nowMs < endMs; nowMs++) {
    for (; read < ours.length && (ours[read] as MediaStep).atMs <= nowMs; read++) {
      const step = ours[read] as MediaStep;
      if (!('owed' in step)) continue;
      if (step.owed) beginAwaiting(c, 0, 20, step.atMs);
      else stopAwaiting(c, 0, step.atMs, false);
    }
    if (nowMs % 20 !== 0) continue;
    const sent = sessionAt(theirs, nowMs)?.session;
    const heard = sessionAt(ours, nowMs)?.session;
    const flows =
      sent != null && (sent.direction === 'BOTH' || sent.direction === 'SEND') && sent.remote?.rtpPort === port;
    if (!flows || heard == null || heard.direction === 'SEND' || heard.direction === 'NONE') continue;
    // Sent all the same, and numbered.
    sequence++;
    if (dead.some(([fromMs, toMs]) => nowMs >= fromMs && nowMs < toMs)) continue;
    received++;
    const packet = {
      ...emptyRtpPacket(),
      payloadType: 0,
      sequence: sequence & 0xffff,
      timestamp: nowMs * 8,
      ssrc: 7,
      payloadBytes: 160,
    };
    observePacket(c, 0, packet, nowMs);
  }
  endReceiving(c, 0, endMs);
  const gaps = c.gaps[0] ?? 0;
  return {
    ...{
      stream: 0,
      video: null,
      security: 'NONE',
      packetMs: 20,
      numbered: received,
      lost: 0,
      lateDiscarded: 0,
      foreign: 0,
      malformed: 0,
    },
    ...{ unexpectedPayloadTypes: 0, eventPackets: 0, followed: 0, unreachable: 0, receiveDrops: 0, srtpAuthFailed: 0 },
    ...{ hearing: 'UNKNOWN', unheardReports: 0, unnamedReports: 0 },
    ...{ audio: null, remoteAddress: '127.0.0.1', remotePort: from },
    packetsReceived: received,
    closedAtMs: endMs,
    firstPacketAtMs: c.firstArrivalMs[0] === 0 ? Number.NaN : c.firstArrivalMs[0],
    absence: {
      awaitedMs: c.awaitedBeforeMs[0],
      absentMs: absentMs(c, 0, 0),
      pausedMs: pausedMs(c, 0, 0),
      ...{ sparseMs: 0, unevenSteps: 0, gapLost: c.gapLost[0], pauses: c.pauses[0] },
      ...{ longestPauseMs: c.longestPauseMs[0], longestPauseAtMs: c.longestPauseAtMs[0] },
      headMs: c.headMs[0],
      gaps,
      longestMs: gaps > 0 ? c.longestHoleMs[0] : Number.NaN,
      longestAtMs: gaps > 0 ? c.longestHoleAtMs[0] : Number.NaN,
      tailMs: c.tailMs[0],
    },
  } as unknown as StreamRecord;
}

type Group = Partial<GroupPlan>;
type Case = {
  readonly what: string;
  readonly caller?: Group;
  readonly callee?: Group;
  /** To the caller, and to the callee. */
  readonly deadHere?: Dead;
  readonly deadThere?: Dead;
  /** Findings of both ends, and for how many seconds audio was owed to them. */
  readonly found: readonly [caller: readonly string[], callee: readonly string[]];
  readonly awaited: readonly [caller: number, callee: number];
};

const ALWAYS: Dead = [[0, Number.POSITIVE_INFINITY]];
const from = (fromMs: number): Dead => [[fromMs, Number.POSITIVE_INFINITY]];
const GOOD = [[], []] as const;
const held = (...steps: readonly (readonly [afterMs: number, step: StepPlan])[]): Group => ({
  actions: steps.map(([afterMs, step]) => after(afterMs, step)),
});

/** Calls of 10 s. */
const CASES: readonly Case[] = [
  { what: 'nothing special', found: GOOD, awaited: [10, 10] },
  { what: 'the caller holds for 3 s', caller: held([3000, HOLD], [6000, RESUME]), found: GOOD, awaited: [7, 7] },
  { what: 'the callee does', callee: held([3000, HOLD], [6000, RESUME]), found: GOOD, awaited: [7, 7] },
  {
    what: 'one after the other',
    caller: held([1000, HOLD], [3000, RESUME]),
    callee: held([5000, HOLD], [8000, RESUME]),
    found: GOOD,
    awaited: [5, 5],
  },
  {
    what: 'three times',
    caller: held([1000, HOLD], [2500, RESUME], [4000, HOLD], [5500, RESUME], [7000, HOLD], [8500, RESUME]),
    found: GOOD,
    awaited: [5.5, 5.5],
  },
  { what: 'held to the end', caller: held([2000, HOLD]), found: GOOD, awaited: [2, 2] },
  { what: 'held from the beginning', callee: held([0, HOLD], [9000, RESUME]), found: GOOD, awaited: [1, 1] },
  {
    what: 'refreshed',
    caller: held([3000, { do: 'REINVITE' }], [6000, { do: 'UPDATE' }]),
    found: GOOD,
    awaited: [10, 10],
  },
  {
    what: 'the caller speaks, the callee listens',
    caller: { tracks: [{ ...AUDIO, direction: 'SEND' }] },
    callee: { tracks: [{ ...AUDIO, direction: 'RECEIVE' }] },
    found: GOOD,
    awaited: [0, 10],
  },
  {
    what: 'the callee only plays',
    callee: { tracks: [{ ...AUDIO, direction: 'SEND' }] },
    found: GOOD,
    awaited: [10, 0],
  },
  {
    what: 'audio that is activated later',
    caller: { tracks: [{ ...AUDIO, deferred: true }], ...held([4000, { do: 'ACTIVATE_TRACK', track: 'AUDIO' }]) },
    found: GOOD,
    awaited: [6, 6],
  },
  {
    what: 'audio that is never activated',
    caller: { tracks: [{ ...AUDIO, deferred: true }] },
    found: GOOD,
    awaited: [0, 0],
  },

  { what: 'nothing comes', deadHere: ALWAYS, found: [['NO_MEDIA'], []], awaited: [10, 10] },
  { what: 'nothing arrives there', deadThere: ALWAYS, found: [[], ['NO_MEDIA']], awaited: [10, 10] },
  { what: 'it stops', deadHere: from(4000), found: [['MEDIA_STOPPED'], []], awaited: [10, 10] },
  { what: 'a gap', deadThere: [[4000, 6000]], found: [[], ['MEDIA_GAP']], awaited: [10, 10] },
  {
    what: 'a pause of half a second before a hold, another after it',
    caller: held([3000, HOLD], [6000, RESUME]),
    deadHere: [[2600, 6400]],
    deadThere: [[2600, 6400]],
    found: GOOD,
    awaited: [7, 7],
  },
  {
    what: 'it does not come back from the hold',
    caller: held([3000, HOLD], [6000, RESUME]),
    deadHere: from(3000),
    found: [['MEDIA_STOPPED'], []],
    awaited: [7, 7],
  },
  {
    what: 'it comes back late from the hold',
    callee: held([3000, HOLD], [6000, RESUME]),
    deadHere: [[3000, 7500]],
    deadThere: [[3000, 6800]],
    found: [['MEDIA_GAP'], []],
    awaited: [7, 7],
  },
  {
    what: 'nothing ever comes in a call with a hold',
    caller: held([3000, HOLD], [6000, RESUME]),
    deadHere: ALWAYS,
    found: [['NO_MEDIA'], []],
    awaited: [7, 7],
  },
];

t.test('a hold is no fault, and hides none', async (t) => {
  for (const { what, caller = {}, callee = {}, deadHere = [], deadThere = [], found, awaited } of CASES) {
    const world = new PairWorld();
    const plans = [sharePlan('CALLER', caller), sharePlan('CALLEE', callee)] as const;
    await world.open(plans[1]);
    await world.open(plans[0]);
    world.start();
    world.go(CALL_MS + 100);
    const [calleePort, callerPort] = [20_000, 20_002];
    const records = [
      heardAt(world, callerPort, calleePort, deadHere),
      heardAt(world, calleePort, callerPort, deadThere),
    ];
    for (const end of [0, 1] as const) {
      const outcome = world.outcomes[end];
      if (outcome === undefined) throw new Error(`${what}: no outcome`);
      t.equal(outcome.cause, null, `${what}: signalling is well`);
      const isStarted = awaited[end] > 0 || world.histories.get([callerPort, calleePort][end] as number)?.length !== 0;
      t.equal(outcome.evidence?.streams, isStarted ? 1 : 0, `${what}: a record is waited for`);
      // The streams of the pair have no record of a first packet.
      const ended = { ...outcome, timeToFirstMediaMs: Number.NaN };
      const settled = settleCall(ended, records.slice(end, end + 1), plans[end]);
      t.same(
        settled.findings.map(({ kind }) => kind),
        found[end],
        `${what}, ${plans[end].role}`,
      );
      const seconds = Number.isNaN(settled.awaitedMs) ? 0 : settled.awaitedMs / 1000;
      t.ok(Math.abs(seconds - awaited[end]) < 0.02, `${what}, ${plans[end].role}: owed for ${seconds} s`);
    }
  }
});
