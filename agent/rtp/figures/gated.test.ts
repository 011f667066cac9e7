/** Sound that comes and goes at a rhythm, such as a busy tone: the meter's instants must not go with it. */
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { emptyRtpPacket } from '@carillon/media/rtp/header.ts';
import t from 'tap';
import { seeded } from '../../testing/rtp/simulation.ts';
import { type AudioFigures, audioFigures, hearInto, noTally, oneWayAudio } from './audio-meter.ts';
import { TAP_COLUMNS, tapPacket } from './audio-tap.ts';

const PACKET_MS = 20;
const OCTETS = 160;
const [LOUD, SILENT] = [0x90, 0xff];
const READ_MS = 1000;

type Reading = { readonly firstMs: number; readonly everyMs: () => number };
type Heard = { readonly audio: AudioFigures | null; readonly isSilent: boolean };

/**
 * A call with sound in the first `onMs` of each `periodMs`; `phaseMs`: between the two rhythms. It is read each second by
 * default.
 */
function heard(
  periodMs: number,
  onMs: number,
  phaseMs: number,
  callMs: number,
  random: () => number,
  { firstMs, everyMs }: Reading = { firstMs: 0, everyMs: () => READ_MS },
): Heard {
  const c = mapColumns(TAP_COLUMNS, 1, new ArrayBuffer(columnsBytes(TAP_COLUMNS, 1)));
  const tally = noTally();
  const parts = { openOpus: null, random };
  const packet = { ...emptyRtpPacket(), payloadBytes: OCTETS };
  const bytes = new Uint8Array(OCTETS);
  let nextMs = firstMs;
  for (let atMs = 0; atMs < callMs; atMs += PACKET_MS) {
    if (atMs >= nextMs) {
      hearInto(c, 0, tally, parts, { codec: 'PCMU', atMs, isOver: false });
      nextMs += everyMs();
    }
    if (c.wanted[0] === 0) continue;
    bytes.fill((atMs + phaseMs) % periodMs < onMs ? LOUD : SILENT);
    tapPacket(c, 0, bytes, packet, atMs);
  }
  hearInto(c, 0, tally, parts, { codec: 'PCMU', atMs: callMs, isOver: true });
  const packets = callMs / PACKET_MS;
  return { audio: audioFigures(tally), isSilent: oneWayAudio(packets, packets, tally) === 'SILENT' };
}

const CALLS = 60;
const CALL_MS = 36_000;

t.test('the silent share is that of the sound, whatever its rhythm', async (t) => {
  const random = seeded(5);
  for (const periodMs of [1000, 500, 2000, 4000, 1020, 980])
    for (const share of [0.8, 0.6, 0.5, 0.2]) {
      const onMs = Math.round(((1 - share) * periodMs) / PACKET_MS) * PACKET_MS;
      const silent = 1 - onMs / periodMs;
      const calls = Array.from({ length: CALLS }, () => {
        const phaseMs = Math.floor((random() * periodMs) / PACKET_MS) * PACKET_MS;
        return heard(periodMs, onMs, phaseMs, CALL_MS, random);
      });
      const shares = calls.map(({ audio }) => audio!.silentShare);
      const what = `${onMs} of ${periodMs} ms`;
      // 120 instants a call: a deviation of 0.05 at most, which sixty calls average to 0.006.
      const mean = shares.reduce((sum, one) => sum + one, 0) / CALLS;
      t.ok(Math.abs(mean - silent) < 0.03, `${what}: ${mean.toFixed(3)} of ${silent.toFixed(3)} on average`);
      const worst = Math.max(...shares.map((one) => Math.abs(one - silent)));
      t.ok(worst < 0.25, `${what}: no call is off by more than ${worst.toFixed(3)}`);
      t.notOk(
        calls.some(({ isSilent }) => isSilent),
        `${what}: none is silent`,
      );
    }
});

t.test('silence is found in five seconds, sound never taken for it in ten', async (t) => {
  const random = seeded(6);
  for (let n = 0; n < CALLS; n++) {
    t.ok(heard(1000, 0, 0, 5000, random).isSilent);
    t.notOk(heard(1000, 200, 20 * n, 10_000, random).isSilent);
  }
});

t.test('a reader that is late at each reading finds silence in six seconds, too', async (t) => {
  const random = seeded(7);
  for (let firstMs = 0; firstMs < READ_MS; firstMs += PACKET_MS) {
    const reading = { firstMs, everyMs: () => READ_MS * (1 + random() / 2) };
    t.ok(heard(1000, 0, 0, 6000, random, reading).isSilent, `first read after ${firstMs} ms`);
  }
});

t.test('each packet of a second is as likely to be heard as any other, wherever the readings are', async (t) => {
  const random = seeded(8);
  const perSecond = READ_MS / PACKET_MS;
  const pairs: (readonly [number, number])[] = [];
  let before: number | null = null;
  const decode = ([phase = 0]: Uint8Array): Int16Array => {
    if (before !== null) pairs.push([before, phase]);
    before = before === null ? phase : null;
    return new Int16Array(8);
  };
  const parts = { openOpus: async () => ({ decode, free: () => undefined }), random };
  const c = mapColumns(TAP_COLUMNS, 1, new ArrayBuffer(columnsBytes(TAP_COLUMNS, 1)));
  const tally = noTally();
  const packet = { ...emptyRtpPacket(), payloadBytes: 8 };
  hearInto(c, 0, tally, parts, { codec: 'OPUS', atMs: 0, isOver: false });
  await null;
  const bytes = new Uint8Array(8);
  const seconds = 8000;
  for (let n = 0; n < seconds * perSecond; n++) {
    const atMs = n * PACKET_MS + 5;
    if (n % perSecond === 0) hearInto(c, 0, tally, parts, { codec: 'OPUS', atMs: n * PACKET_MS, isOver: false });
    bytes[0] = n % perSecond;
    if (c.wanted[0] !== 0) tapPacket(c, 0, bytes, packet, atMs);
  }
  t.ok(
    pairs.every(([first, second]) => second === (first + 1) % perSecond),
    'a set is two packets in a row',
  );
  t.ok(pairs.length > 3.7 * seconds, `${pairs.length} sets`);
  const seen = new Array<number>(perSecond).fill(0);
  for (const [, second] of pairs) seen[second]! += 1;
  const mean = pairs.length / perSecond;
  // About 600 each: four deviations are a sixth.
  const off = seen.map((n) => Math.abs(n / mean - 1));
  t.ok(Math.max(...off) < 1 / 6, `${Math.max(...off).toFixed(3)} off the mean at most`);
});
