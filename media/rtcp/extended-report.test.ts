import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { beginsAsAgreed, decodeRtcp } from './decode.ts';
import { encodeBye, encodeCname, encodeReceiverReport } from './encode.ts';
import { type ExtendedBlock, encodeExtendedReport } from './extended-report.ts';

const u8 = fc.nat(255);
const u16 = fc.nat(0xffff);
const u32 = fc.nat(0xffffffff);
const s8 = fc.integer({ min: -128, max: 127 });

const voipMetrics = fc.record({
  kind: fc.constant('VOIP_METRICS' as const),
  ssrc: u32,
  lossRate: u8,
  discardRate: u8,
  burstDensity: u8,
  gapDensity: u8,
  burstMs: u16,
  gapMs: u16,
  roundTripMs: u16,
  endSystemMs: u16,
  signalLevel: s8,
  noiseLevel: s8,
  echoReturnLoss: u8,
  gmin: u8,
  rFactor: u8,
  externalRFactor: u8,
  mosLq10: u8,
  mosCq10: u8,
  receiverConfiguration: u8,
  bufferNominalMs: u16,
  bufferMaximumMs: u16,
  bufferAbsoluteMaximumMs: u16,
});
const block: fc.Arbitrary<ExtendedBlock> = fc.oneof(
  voipMetrics,
  fc.record({ kind: fc.constant('RECEIVER_REFERENCE_TIME' as const), ntpSeconds: u32, ntpFraction: u32 }),
  fc.record({
    kind: fc.constant('DLRR' as const),
    blocks: fc.array(fc.record({ ssrc: u32, lrr: u32, dlrr: u32 }), { maxLength: 4 }),
  }),
);

t.test('blocks survive the wire, in a compound and where the buffer is dirty', async (t) => {
  fc.assert(
    fc.property(u32, fc.array(block, { maxLength: 6 }), (ssrc, blocks) => {
      const bytes = new Uint8Array(1024).fill(0xee);
      const start = encodeReceiverReport(bytes, 0, ssrc, []);
      const end = encodeExtendedReport(bytes, start, ssrc, blocks);
      t.same(decodeRtcp(bytes, 0, end), [
        { kind: 'RR', ssrc, blocks: [] },
        { kind: 'XR', ssrc, blocks },
      ]);
    }),
    { numRuns: 200 },
  );
});

t.test('the layout of RFC 3611, 4.7', async (t) => {
  const bytes = new Uint8Array(64);
  const metrics: ExtendedBlock = {
    kind: 'VOIP_METRICS',
    ssrc: 0x01020304,
    lossRate: 12,
    discardRate: 3,
    burstDensity: 85,
    gapDensity: 10,
    burstMs: 120,
    gapMs: 255,
    roundTripMs: 300,
    endSystemMs: 80,
    signalLevel: -18,
    noiseLevel: 127,
    echoReturnLoss: 127,
    gmin: 16,
    rFactor: 93,
    externalRFactor: 127,
    mosLq10: 44,
    mosCq10: 43,
    receiverConfiguration: 0xe0,
    bufferNominalMs: 60,
    bufferMaximumMs: 120,
    bufferAbsoluteMaximumMs: 200,
  };
  t.equal(encodeExtendedReport(bytes, 0, 0x0a0b0c0d, [metrics]), 44);
  t.equal(
    Buffer.from(bytes.subarray(0, 44)).toString('hex'),
    '80cf000a0a0b0c0d' +
      '0700000801020304' +
      '0c03550a' +
      '007800ff' +
      '012c0050' +
      'ee7f7f10' +
      '5d7f2c2b' +
      'e000003c' +
      '007800c8',
  );
});

t.test('unknown blocks, and known ones of a wrong length, are stepped over', async (t) => {
  const unknown = Uint8Array.from([0x80, 207, 0, 5, 0, 0, 0, 9, 99, 0, 0, 1, 1, 2, 3, 4, 7, 0, 0, 1, 5, 6, 7, 8]);
  t.same(decodeRtcp(unknown, 0, 24), [{ kind: 'XR', ssrc: 9, blocks: [] }]);
  t.equal(decodeRtcp(unknown.with(11, 9), 0, 24), null, 'a block beyond the end');
  t.equal(decodeRtcp(Uint8Array.from([0x80, 207, 0, 0]), 0, 4), null, 'no SSRC');
});

t.test('how a compound may begin', async (t) => {
  const bytes = new Uint8Array(128);
  const feedback = { kind: 'OTHER', packetType: 205 } as const;
  const report = decodeRtcp(bytes, 0, encodeReceiverReport(bytes, 0, 1, []))!;
  const name = decodeRtcp(bytes, 0, encodeCname(bytes, 0, 1, 'a'))!;
  const bye = decodeRtcp(bytes, 0, encodeBye(bytes, 0, 1))!;
  t.ok(beginsAsAgreed([...report, ...name, ...bye], false));
  t.notOk(beginsAsAgreed([...name, ...report], false), 'A.2: a report comes first');
  t.notOk(beginsAsAgreed(bye, false));
  t.ok(beginsAsAgreed(bye, true), 'unless both ends agreed on less');
  t.ok(beginsAsAgreed([feedback], false), 'feedback by itself is understood');
  t.notOk(beginsAsAgreed([], true));
});

t.test('mutated packets neither throw nor grow', async (t) => {
  const valid = new Uint8Array(256);
  let end = encodeReceiverReport(valid, 0, 1, []);
  end = encodeExtendedReport(valid, end, 1, [
    { kind: 'RECEIVER_REFERENCE_TIME', ntpSeconds: 1, ntpFraction: 2 },
    { kind: 'DLRR', blocks: [{ ssrc: 1, lrr: 2, dlrr: 3 }] },
    fc.sample(voipMetrics, 1)[0]!,
  ]);
  end = encodeBye(valid, end, 1);
  const changes = fc.array(fc.tuple(fc.nat(end - 1), u8), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(changes, fc.nat(60), (list, cut) => {
      const bytes = valid.slice(0, end);
      for (const [at, value] of list) bytes[at] = value;
      const packets = decodeRtcp(bytes, 0, end - cut) ?? [];
      const blocks = packets.flatMap((packet) => (packet.kind === 'XR' ? packet.blocks : []));
      return packets.length <= end / 4 && blocks.length <= end / 4;
    }),
    { numRuns: 20_000 },
  );
  t.pass();
});
