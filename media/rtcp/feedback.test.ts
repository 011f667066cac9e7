import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { decodeFeedback, encodeFir, encodeNack, encodePli } from './feedback.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const written = (write: (bytes: Uint8Array) => number): Uint8Array => {
  const bytes = new Uint8Array(512);
  return bytes.subarray(0, write(bytes));
};
const read = (bytes: Uint8Array) => decodeFeedback(bytes, 0, bytes.length);

t.test('generic NACK: PID 65534, BLP 0x8005 names 65534, 65535, 1 and 14', async (t) => {
  const bytes = hex('81cd0003 11111111 22222222 fffe8005');
  const ssrcs = { ssrc: 0x11111111, mediaSsrc: 0x22222222 };
  t.same(read(bytes), [{ kind: 'NACK', ...ssrcs, sequences: [65534, 65535, 1, 14] }]);
  const again = written((to) => encodeNack(to, 0, 0x11111111, 0x22222222, [65534, 65535, 1, 14]));
  t.same(again, bytes);
  const apart = written((to) => encodeNack(to, 0, 1, 2, [5, 21, 22, 23]));
  t.same(apart, hex('81cd0004 00000001 00000002 00058000 00160001'), 'the 17th needs an entry of its own');
});

t.test('PLI and FIR', async (t) => {
  const pli = written((to) => encodePli(to, 0, 0x01020304, 0xfffffffe));
  t.same(pli, hex('81ce0002 01020304 fffffffe'));
  t.same(read(pli), [{ kind: 'PLI', ssrc: 0x01020304, mediaSsrc: 0xfffffffe }]);
  const fir = written((to) => encodeFir(to, 0, 0x01020304, 0xfffffffe, 0x1ff));
  t.same(fir, hex('84ce0004 01020304 00000000 fffffffe ff000000'));
  t.same(read(fir), [{ kind: 'FIR', ssrc: 0x01020304, requests: [{ ssrc: 0xfffffffe, sequenceNumber: 255 }] }]);
});

t.test('what is not acted upon is recognised; what is no feedback is passed over', async (t) => {
  const remb = hex('8fce0005 00000001 00000000 52454d42 01000000 00000002');
  const transportCc = hex('8fcd0005 00000001 00000002 00000001 00000000 00000000');
  const sli = hex('82ce0003 00000001 00000002 00000000');
  const report = hex('80c90001 00000001');
  t.same(read(Buffer.concat([report, remb, transportCc, sli])), [
    { kind: 'REMB', ssrc: 1 },
    { kind: 'TRANSPORT_CC', ssrc: 1 },
    { kind: 'OTHER', ssrc: 1, packetType: 206, format: 2 },
  ]);
  t.same(read(report), []);
});

t.test('lengths that are not those of the format', async (t) => {
  const broken = [
    '81cd0002 00000001 00000002', // a NACK that names nothing
    '81cd0001 00000001',
    '81ce0003 00000001 00000002 00000000', // a PLI with something
    '84ce0003 00000001 00000000 00000002', // half an FIR
    '84ce0002 00000001 00000000',
    '81cd0004 11111111 22222222 fffe8005', // longer than the datagram
    '41cd0003 11111111 22222222 fffe8005', // version 1
    '81cd00',
    'a1cd0003 11111111 22222222 000000ff', // padding beyond the packet
  ];
  for (const bytes of broken) t.equal(read(hex(bytes)), null, bytes);
});

t.test('any set of losses within reach comes back, wherever it begins', async () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.nat(65_535), gaps, fc.nat(0xffffffff), (first, list, ssrc) => {
      const lost = [first];
      for (const gap of list) lost.push((lost.at(-1)! + gap) & 0xffff);
      const [nack] = read(written((to) => encodeNack(to, 0, ssrc, ssrc, lost)))!;
      return nack?.kind === 'NACK' && nack.ssrc === ssrc && `${nack.sequences}` === `${lost}`;
    }),
  );
});

t.test('no feedback packet throws', async () => {
  const start = fc.constantFrom(hex('81cd0003'), hex('84ce0004'), hex('8fce0005'), hex('a1ce0002'), new Uint8Array(0));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 40 }), (head, rest) => {
      read(Uint8Array.of(...head, ...rest));
    }),
    { numRuns: 2000 },
  );
});
