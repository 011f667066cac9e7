import { readFileSync } from 'node:fs';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { depacketize, payloadOf, type VideoPacket } from '../testing/depacketize.ts';
import { joinH264, joinVp8, pictureIdOf } from '../testing/join-video.ts';
import { nalUnits, parseAnnexB } from './annex-b.ts';
import { VIDEO_CLOCK_HZ, VideoError } from './clip.ts';
import { h264Marks, NalUnitTooLong, packetizeH264 } from './h264-payload.ts';
import { parseIvf } from './ivf.ts';
import { marksOf } from './packet-marks.ts';
import { IS_KEYFRAME, MALFORMED, STARTS_FRAME } from './payload-marks.ts';
import { parseSps } from './sequence-parameters.ts';
import { describeVideo, parseVideo } from './video-file.ts';
import { packetizeClip, payloadStart, type VideoPackets } from './video-packets.ts';
import { packetizeVp8, vp8Marks, writePictureId } from './vp8-payload.ts';

const file = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`pattern/${name}`, import.meta.url)));
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const PATTERNS = ['pattern.ivf', 'pattern.h264', 'pattern-slices.h264'] as const;

t.test('the pattern: five seconds, a keyframe each', async (t) => {
  for (const name of PATTERNS) {
    const codec = name === 'pattern.ivf' ? 'VP8' : 'H264';
    t.same(describeVideo(file(name)), {
      kind: 'VIDEO',
      ...{ codec, widthPx: 320, heightPx: 240, frames: 75, keyframes: 5, framesPerSecond: 15, durationMs: 5000 },
    });
    const { frames } = parseVideo(file(name));
    t.ok(frames.every(({ timestamp }, i) => timestamp === i * (VIDEO_CLOCK_HZ / 15)));
  }
});

t.test('SPS: size, cropping, pace', async (t) => {
  const [sps] = nalUnits(file('pattern.h264'));
  t.same(parseSps(sps!), { widthPx: 320, heightPx: 240, profileLevelId: '42c00d', frameUnits: 6000 });
  // High profile, 1920 by 1080: cropped from 1088.
  const high = hex('67640028acd940780227e5c044000003000400000300f03c60c658');
  t.match(parseSps(high), { widthPx: 1920, heightPx: 1080, profileLevelId: '640028' });
  t.throws(() => parseSps(high.subarray(0, 6)), VideoError);
  const bytes = Buffer.from(file('pattern.h264'));
  const second = bytes.lastIndexOf(hex('6742c00d'));
  t.equal(parseVideo(bytes).profileLevelId, '42c00d');
  bytes[second + 3] = 0x28;
  t.equal(parseVideo(bytes).profileLevelId, '42c028', 'what the whole of it demands');
});

t.test('files that are none, or not whole, say what is wrong', async (t) => {
  const ivf = file('pattern.ivf');
  const changed = (bytes: Uint8Array, at: number, values: readonly number[]): Uint8Array => {
    const copy = bytes.slice();
    copy.set(values, at);
    return copy;
  };
  const second = 32 + 12 + new DataView(ivf.buffer).getUint32(32, true);
  const table: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(0), /neither IVF/],
    [hex('52494646'), /neither IVF/],
    [ivf.subarray(0, 32), /no frames/],
    [ivf.subarray(0, 40), /header of frame 0/],
    [ivf.subarray(0, 100), /middle of frame 0/],
    [changed(ivf, 8, [0x56, 0x50, 0x39, 0x30]), /VP90.*encode it as VP8/],
    [changed(ivf, 16, [0, 0, 0, 0]), /time base/],
    [changed(ivf, 44, [1]), /keyframe/],
    [changed(ivf, second + 4, [0]), /no later/],
    [hex('00000001 67 42'), /cut off/],
    [hex('00000001 09 10'), /no sequence parameter set/],
    [hex('00000001 62 80 00'), /data partitions/],
  ];
  for (const [bytes, message] of table) t.throws(() => parseVideo(bytes), { name: 'VideoError', message });
});

t.test('whatever the bytes, a file is read or refused by a VideoError', async () => {
  const start = fc.constantFrom(file('pattern.ivf').subarray(0, 3000), file('pattern.h264').subarray(0, 3000));
  const edits = fc.array(fc.tuple(fc.nat(2999), fc.nat(255)), { maxLength: 20 });
  const mutated = fc.tuple(start, edits, fc.nat(3000)).map(([bytes, list, length]) => {
    const copy = bytes.slice();
    for (const [at, value] of list) copy[at] = value;
    return copy.subarray(0, length);
  });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      try {
        describeVideo(bytes);
      } catch (error) {
        if (!(error instanceof VideoError)) throw error;
      }
    }),
    { numRuns: 1000 },
  );
});

t.test('VP8 descriptors of RFC 7741', async (t) => {
  const table: readonly (readonly [string, number, number | null])[] = [
    ['10 00', STARTS_FRAME | IS_KEYFRAME, null], // smallest: S, partition 0, P = 0
    ['10 01', STARTS_FRAME, null],
    ['00 00', 0, null],
    ['11 00', 0, null], // the start of partition 1
    ['90 80 11 00', STARTS_FRAME | IS_KEYFRAME, 0x11], // PictureID of 7 bits
    ['90 80 92 34 01', STARTS_FRAME, 0x1234], // of 15
    ['90 f0 92 34 56 78 00', STARTS_FRAME | IS_KEYFRAME, 0x1234], // and TL0PICIDX, TID, KEYIDX
    ['90 40 56 00', STARTS_FRAME | IS_KEYFRAME, null],
    ['90 10 78 01', STARTS_FRAME, null],
    ['10', MALFORMED, null],
    ['90', MALFORMED, null],
    ['90 80', MALFORMED, null],
    ['90 80 92 34', MALFORMED, null],
  ];
  for (const [bytes, marks, pictureId] of table) {
    t.equal(vp8Marks(hex(bytes), 0, hex(bytes).length), marks, bytes);
    t.equal(pictureIdOf(hex(bytes)), pictureId, bytes);
  }
  const [payload] = packetizeVp8(Uint8Array.of(1, 2, 3), 1200);
  writePictureId(payload!, 2, 0x8123);
  t.equal(pictureIdOf(payload!), 0x0123, 'modulo 2^15');
});

t.test('VP8 frames of every length come back, within the limit and of nearly equal size', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 4000 }), fc.integer({ min: 20, max: 1200 }), (frame, most) => {
      const payloads = packetizeVp8(frame, most);
      const lengths = payloads.map(({ length }) => length);
      return (
        Math.max(...lengths) <= most &&
        Math.max(...lengths) - Math.min(...lengths) <= 1 &&
        Buffer.compare(joinVp8(payloads)![0]!, frame) === 0
      );
    }),
  );
});

t.test('H.264 payloads of RFC 6184', async (t) => {
  const units = [hex('67 42 c0'), hex('68 ce'), new Uint8Array(100).fill(0x65)];
  const payloads = packetizeH264(units, 1, 40);
  t.same(payloads[0], hex('78 0003 6742c0 0002 68ce'), 'STAP-A: NRI of the most important');
  t.same(
    payloads.slice(1).map((payload) => [payload[0], payload[1]]),
    [
      [0x7c, 0x85],
      [0x7c, 0x05],
      [0x7c, 0x45],
    ],
  );
  t.same(joinH264(payloads), units);
  t.throws(() => packetizeH264(units, 0, 40), NalUnitTooLong);
  t.same(packetizeH264(units.slice(0, 2), 0, 40), units.slice(0, 2));
  const table: readonly (readonly [string, number])[] = [
    ['67 42', STARTS_FRAME],
    ['68 ce', 0],
    ['65 88', IS_KEYFRAME],
    ['41 9a', STARTS_FRAME],
    ['41 1a', 0],
    ['78 0002 6742 0002 6588', STARTS_FRAME | IS_KEYFRAME],
    ['78 0003 6742', MALFORMED],
    ['78 0000', MALFORMED],
    ['78 00', MALFORMED],
    ['78', MALFORMED],
    ['7c 85 88', IS_KEYFRAME],
    ['7c 81 9a', STARTS_FRAME],
    ['7c 01 9a', 0],
    ['7c 85', MALFORMED],
    ['19 00', MALFORMED], // STAP-B: interleaved mode only
    ['60 00', MALFORMED],
    ['', MALFORMED],
  ];
  for (const [bytes, marks] of table) t.equal(h264Marks(hex(bytes), 0, hex(bytes).length), marks, bytes);
});

t.test('NAL units of every length come back in both modes', async () => {
  const unit = fc
    .tuple(fc.integer({ min: 1, max: 23 }), fc.nat(3), fc.uint8Array({ minLength: 1, maxLength: 500 }))
    .map(([type, nri, rest]) => Uint8Array.of((nri << 5) | type, ...rest));
  const same = (a: readonly Uint8Array[] | null, b: readonly Uint8Array[]): boolean =>
    a !== null && a.length === b.length && a.every((one, i) => Buffer.compare(one, b[i]!) === 0);
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), fc.integer({ min: 10, max: 600 }), (units, most) => {
      const cut = packetizeH264(units, 1, most);
      const whole = packetizeH264(units, 0, 501);
      return cut.every(({ length }) => length <= most) && same(joinH264(cut), units) && same(joinH264(whole), units);
    }),
  );
});

t.test('no payload, whatever its bytes, throws', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom('VP8' as const, 'H264' as const), (bytes, codec) => {
      marksOf(codec, bytes, 0, bytes.length);
      depacketize(codec, [{ sequence: 0, timestamp: 0, marker: true, payload: bytes }]);
    }),
    { numRuns: 2000 },
  );
});

const packetsOf = (packets: VideoPackets, firstSequence: number): VideoPacket[] =>
  Array.from(packets.ends, (_, i) => ({
    sequence: (firstSequence + i) & 0xffff,
    timestamp: packets.frameOf[i]! * 6000,
    marker: packets.isLast[i] === 1,
    payload: payloadOf(packets, i),
  }));

t.test('a clip cut, lost, repeated, shuffled: whole frames come back, broken ones do not', async (t) => {
  for (const name of PATTERNS) {
    const clip = parseVideo(file(name));
    const packets = packetizeClip(clip, name === 'pattern-slices.h264' ? 0 : 1);
    t.ok(packets.ends.every((end, i) => end - payloadStart(packets, i) <= 1200));
    fc.assert(
      fc.property(fc.nat(65_535), fc.array(fc.nat(packets.ends.length - 1), { maxLength: 30 }), (first, lost) => {
        const missing = new Set(lost);
        const all = packetsOf(packets, first);
        const arrived = all.filter((_, i) => !missing.has(i)).map((packet, i, list) => list[i ^ 1] ?? packet);
        const { frames } = depacketize(clip.codec, [...arrived, ...arrived.slice(5, 10)]);
        const damaged = new Set([...missing].map((i) => packets.frameOf[i]!));
        const whole = clip.frames.filter((_, i) => !damaged.has(i));
        // If the packet before it is lost, it is not always known whether a frame is complete.
        const found = new Map(frames.map((frame) => [frame.timestamp, frame]));
        const sure = whole.filter((_, i) => found.has(whole[i]!.timestamp));
        return (
          found.size === sure.length &&
          sure.length >= whole.length - missing.size &&
          sure.every(({ units, timestamp, isKeyframe }) => {
            const frame = found.get(timestamp)!;
            return (
              frame.isKeyframe === isKeyframe && frame.units.every((unit, k) => Buffer.compare(unit, units[k]!) === 0)
            );
          })
        );
      }),
      { numRuns: 50 },
    );
  }
});

t.test('keyframes to jump to; what a frame lasts', async (t) => {
  const packets = packetizeClip(parseIvf(file('pattern.ivf')));
  t.equal(packets.nextKeyframe[0], 15);
  t.equal(packets.nextKeyframe[14], 15);
  t.equal(packets.nextKeyframe[15], 30);
  t.equal(packets.nextKeyframe[74], 0, 'over the seam');
  t.ok(packets.frameUnits.every((units) => units === 6000));
  t.equal(packets.firstPacket[75], packets.ends.length);
  t.throws(() => packetizeClip(parseAnnexB(file('pattern.h264')), 0), NalUnitTooLong);
});
