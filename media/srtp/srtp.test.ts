import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { estimateIndex } from './packet-index.ts';
import { ReplayWindow, WINDOW } from './replay-window.ts';
import { masterKeyOfText } from './suites.ts';

const ROUND = 0x1_0000;

t.test('index of a packet', async (t) => {
  t.test('wraps, both ways', async (t) => {
    for (const [highest, sequence, expected] of [
      [0xfffe, 0xffff, 0xffff],
      [0xffff, 0, ROUND], // the sequence number wraps
      [0xfff0, 3, ROUND + 3], // and some packets were lost there
      [ROUND, 0xffff, 0xffff], // late, from before the wrap
      [ROUND + 20, 0xfff0, 0xfff0],
      [ROUND + 0x7fff, 0xffff, ROUND + 0xffff], // 32,768 ahead is ahead
      [ROUND + 0x7fff, 0x7ffe, ROUND + 0x7ffe],
      [ROUND + 0x8000, 0, ROUND],
      [ROUND + 0x8001, 0, 2 * ROUND],
      [5, 0xfffe, -2], // before the first cycle: no such packet
      [0xffff_ffff * ROUND + 3, 4, 0xffff_ffff * ROUND + 4],
    ] as const)
      t.equal(estimateIndex(highest, sequence), expected, `${highest} then ${sequence}`);
  });

  t.test('is found within half a round of the highest', async () => {
    const near = fc.integer({ min: -0x7fff, max: 0x7fff });
    fc.assert(
      fc.property(fc.integer({ min: ROUND, max: 2 ** 40 }), near, (highest, distance) => {
        const index = highest + distance;
        return estimateIndex(highest, index % ROUND) === index;
      }),
    );
  });
});

t.test('replay window', async (t) => {
  t.test('takes each index once, and none that is too old', async () => {
    const steps = fc.array(fc.integer({ min: -200, max: 300 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 47 }), steps, (first, moves) => {
        const window = new ReplayWindow();
        const seen = new Set<number>();
        let highest = -1;
        for (const move of [0, ...moves]) {
          const index = Math.max(0, Math.max(first, highest) + move);
          const replay = seen.has(index) || index <= highest - WINDOW;
          if (window.isReplay(index) !== replay) return false;
          if (replay) continue;
          window.accept(index);
          seen.add(index);
          highest = Math.max(highest, index);
          if (window.highest !== highest) return false;
        }
        return true;
      }),
    );
  });
});

t.test('the key of an SDES line', async (t) => {
  const text = 'd0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj';
  const { key, salt } = masterKeyOfText('AES_CM_128_HMAC_SHA1_80', text);
  t.match([key.length, salt.length], [16, 14]);
  t.equal(Buffer.concat([key, salt]).toString('base64'), text);
  t.equal(masterKeyOfText('AEAD_AES_128_GCM', `${'A'.repeat(36)}AA==`).salt.length, 12);
  t.equal(masterKeyOfText('AEAD_AES_128_GCM', `${'A'.repeat(38)}`).salt.length, 12, 'without padding');
  for (const [suite, wrong] of [
    ['AEAD_AES_128_GCM', text],
    ['AES_CM_128_HMAC_SHA1_32', text.slice(0, 36)],
    ['AES_CM_128_HMAC_SHA1_80', ''],
    ['AES_CM_128_HMAC_SHA1_80', `${text.slice(0, 39)}!`],
    ['AES_CM_128_HMAC_SHA1_80', `${text.slice(0, 20)}\n${text.slice(20)}`],
  ] as const)
    t.throws(() => masterKeyOfText(suite, wrong), RangeError);
  t.throws(() => masterKeyOfText('AEAD_AES_128_GCM', text), { message: /takes 28 bytes/ });
});
