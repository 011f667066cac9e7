/** The vectors of RFC 3711 and RFC 7714 with both libraries; packets of an attacker; memory after closing. */
import { REPLAYED, SrtpReceiver, SrtpSender, UNAUTHENTIC } from '@carillon/media/srtp/context.ts';
import { derive, deriveSessionKeys } from '@carillon/media/srtp/key-derivation.ts';
import { type MasterKey, masterKey, SRTP_ROOM_BYTES, type SrtpSuite, SUITES } from '@carillon/media/srtp/suites.ts';
import { createTransform } from '@carillon/media/srtp/transform.ts';
import t from 'tap';
import { bytesFrom, seeded } from '../../../scripts/peers/seeded.ts';
import fc from '../../../scripts/test-run/properties.ts';
import { chooseSrtpCiphers } from './srtp-ciphers-open.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const NAMES = Object.keys(SUITES) as SrtpSuite[];

const choice = chooseSrtpCiphers('auto');
t.equal(choice.fallbackReason, null, 'OpenSSL by FFI is available here');

/** Shorter ciphertext may equal its plaintext by chance. */
const ENOUGH_BYTES = 12 + 16;
const random = seeded(1);
const newKey = (suite: SrtpSuite): MasterKey => masterKey(suite, bytesFrom(random, 16 + SUITES[suite].saltBytes));

function rtp(sequence: number, payload: number, ssrc = 0xcafebabe): Uint8Array {
  const packet = new Uint8Array(12 + payload).fill(0xab);
  packet.set([0x80, 0x0f, sequence >>> 8, sequence & 0xff, 0xde, 0xca, 0xfb, 0xad]);
  new DataView(packet.buffer).setUint32(8, ssrc);
  return packet;
}

function rtcp(length = 28, ssrc = 0xcafebabe): Uint8Array {
  const packet = new Uint8Array(length).fill(0xab);
  packet.set([0x80, 200, 0, length / 4 - 1]);
  new DataView(packet.buffer).setUint32(4, ssrc);
  return packet;
}

for (const adapter of ['openssl', 'node'] as const)
  t.test(adapter, async (t) => {
    const memory = new Uint8Array(4096);
    const ciphers = chooseSrtpCiphers(adapter).over(memory);

    t.test('RFC 3711, B.2: the keystream of AES-CM', async (t) => {
      const counter = ciphers.counter(bytesOf('2B7E151628AED2A6ABF7158809CF4F3C'));
      const block = (n: number): string => {
        ciphers.nonce.set(bytesOf('F0F1F2F3F4F5F6F7F8F9FAFBFCFD'));
        ciphers.nonce.set([n >>> 8, n & 0xff], 14);
        memory.fill(0, 0, 16);
        counter.apply(0, 16);
        return hex(memory.subarray(0, 16));
      };
      for (const [n, expected] of [
        [0, 'e03ead0935c95e80e166b16dd92b4eb4'],
        [1, 'd23513162b02d0f72a43a2fe4a5f97ab'],
        [2, '41e95b3bb0a2e8dd477901e4fca894c0'],
        [0xfeff, 'ec8cdf7398607cb0f2d21675ea9ea1e4'],
        [0xff00, '362b7c3c6773516318a077d7fc5073ae'],
        [0xff01, '6a2cc3787889374fbeb4c81b17ba6c44'],
      ] as const)
        t.equal(block(n), expected);
      counter.close();
    });

    t.test('RFC 3711, B.3: session keys', async (t) => {
      const suite = 'AES_CM_128_HMAC_SHA1_80';
      const master = masterKey(suite, bytesOf('E1F97A0D3E018BE0D64FA32C06DE41390EC675AD498AFEEBB6960B3AABE6'));
      const { encryption, authentication, salt } = deriveSessionKeys(ciphers, master).rtp;
      t.equal(hex(encryption), 'c61e7a93744f39ee10734afe3ff7a087');
      t.equal(hex(salt), '30cbbc08863d8c85d49db34a9ae1');
      t.equal(hex(authentication), 'cebe321f6ff7716b6fd4ab49af256a156d38baa4');
      t.equal(
        hex(derive(ciphers, master, 1, 94)),
        'cebe321f6ff7716b6fd4ab49af256a156d38baa48f0a0acf3c34e2359e6cdbcee049646c43d9327ad175578ef7227098' +
          '6371c10c9a369ac2f94a8c5fbcdddc256d6e919a48b610ef17c2041e474035766b68642c59bbfc2f34db60dbdfb2',
      );
    });

    t.test('a whole packet of AES_CM_128_HMAC_SHA1_80', async (t) => {
      const suite = 'AES_CM_128_HMAC_SHA1_80';
      const master = masterKey(suite, bytesOf('E1F97A0D3E018BE0D64FA32C06DE41390EC675AD498AFEEBB6960B3AABE6'));
      const sender = new SrtpSender(ciphers, master);
      memory.set(rtp(0x1234, 16), 100);
      const length = sender.protectRtp(100, 28);
      t.equal(
        hex(memory.subarray(100, 100 + length)),
        '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb',
        'the reference packet of libsrtp',
      );
      sender.close();
    });

    t.test('RFC 7714, 16.1 and 17.1: AEAD_AES_128_GCM', async (t) => {
      const packetKeys = {
        encryption: bytesOf('000102030405060708090a0b0c0d0e0f'),
        authentication: new Uint8Array(),
        salt: bytesOf('517569642070726f2071756f'),
      };
      const keys = { rtp: packetKeys, rtcp: packetKeys };
      const seal = createTransform(ciphers, 'AEAD_AES_128_GCM', keys, 'SEAL');
      const open = createTransform(ciphers, 'AEAD_AES_128_GCM', keys, 'OPEN');
      const plain = bytesOf(
        '8040f17b8041f8d35501a0b247616c6c696120657374206f6d6e69732064697669736120696e207061727465732074726573',
      );
      memory.set(plain);
      const length = seal.protectRtp(0, plain.length, 12, 0x5501a0b2, 0xf17b);
      t.equal(
        hex(memory.subarray(0, length)),
        '8040f17b8041f8d35501a0b2f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833' +
          '899d7f27beb16a9152cf765ee4390cce',
      );
      t.equal(open.openRtp(0, length, 12, 0x5501a0b2, 0xf17b), plain.length);
      t.equal(hex(memory.subarray(0, plain.length)), hex(plain));

      const report = bytesOf(
        '81c8000d4d6172734e5450314e545032525450200000042a0000e9304c756e61deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
      );
      memory.set(report);
      const sealed = seal.protectRtcp(0, report.length, 0x4d617273, 0x5d4);
      t.equal(
        hex(memory.subarray(0, sealed)),
        '81c8000d4d61727363e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda4ce09b468630' +
          '3ded0bb9275bc84aa45896cf4d2fc5abf87245d9eade800005d4',
      );
      t.equal(open.openRtcp(0, sealed, 0x4d617273, 0x5d4), report.length);
      t.equal(hex(memory.subarray(0, report.length)), hex(report));
      seal.close();
      open.close();
    });

    for (const suite of NAMES)
      t.test(suite, async (t) => {
        const master = newKey(suite);
        const pair = () => ({ sender: new SrtpSender(ciphers, master), receiver: new SrtpReceiver(ciphers, master) });
        const protect = (sender: SrtpSender, packet: Uint8Array, at = 0): Uint8Array => {
          memory.set(packet, at);
          const call = packet[1]! >= 192 ? sender.protectRtcp(at, packet.length) : sender.protectRtp(at, packet.length);
          t.ok(call > packet.length && call <= packet.length + SRTP_ROOM_BYTES);
          return memory.slice(at, at + call);
        };
        const open = (receiver: SrtpReceiver, packet: Uint8Array, at = 0): Uint8Array | number => {
          memory.set(packet, at);
          const length = packet[1]! >= 192 ? receiver.openRtcp(at, packet.length) : receiver.openRtp(at, packet.length);
          return length < 0 ? length : memory.slice(at, at + length);
        };

        t.test('what was protected is opened', async (t) => {
          const { sender, receiver } = pair();
          for (const packet of [rtp(7, 160), rtp(8, 0), rtp(9, 1), rtp(10, 1200), rtcp(), rtcp(8), rtcp(108)]) {
            const secured = protect(sender, packet, 33);
            // A few bytes may equal their plaintext.
            if (packet.length >= ENOUGH_BYTES)
              t.not(hex(secured.subarray(12, packet.length)), hex(packet.subarray(12)));
            t.same(open(receiver, secured, 77), packet);
            t.equal(open(receiver, secured), REPLAYED, 'once');
          }
        });

        t.test('header extensions and contributing sources stay in the clear', async (t) => {
          const { sender, receiver } = pair();
          const packet = rtp(1, 60);
          packet[0] = 0x92;
          packet.set([0xbe, 0xde, 0, 2], 20);
          const secured = protect(sender, packet);
          t.same(secured.subarray(0, 32), packet.subarray(0, 32));
          t.not(hex(secured.subarray(32, 64)), hex(packet.subarray(32, 64)));
          t.same(open(receiver, secured), packet);
        });

        t.test('sequence numbers wrap, packets come late and not at all', async (t) => {
          const { sender, receiver } = pair();
          const sent = Array.from({ length: 400 }, (_, i) => protect(sender, rtp((0xff80 + i) & 0xffff, 20)));
          const arriving = sent
            .map((packet, i) => ({ packet, at: i + ((i * 7919) % 60) }))
            .filter((_, i) => i % 9 !== 4);
          arriving.sort((a, b) => a.at - b.at);
          for (const { packet } of arriving) t.type(open(receiver, packet), Uint8Array);
          t.equal(open(receiver, sent[0]!), REPLAYED, 'of the round before');
        });

        t.test('two wraps of the sequence number stay in step', async (t) => {
          const { sender, receiver } = pair();
          for (let i = 0; i < 2 * 0x1_0000 + 10; i += 0x1000 - 3)
            t.type(open(receiver, protect(sender, rtp(i & 0xffff, 20))), Uint8Array);
        });

        t.test('a packet that is sent again is the same', async (t) => {
          const { sender } = pair();
          const first = protect(sender, rtp(0xffff, 20));
          protect(sender, rtp(0, 20));
          t.same(protect(sender, rtp(0xffff, 20)), first);
        });

        t.test('several sources have their own rounds', async (t) => {
          const { sender, receiver } = pair();
          for (let i = 0; i < 4; i++)
            for (let ssrc = 1; ssrc <= 5; ssrc++) {
              const packet = rtp((0xfffe + i * ssrc) & 0xffff, 30, ssrc);
              t.same(open(receiver, protect(sender, packet)), packet);
            }
          for (let ssrc = 10; ssrc < 60; ssrc++)
            t.type(open(receiver, protect(sender, rtp(1, 8, ssrc))), Uint8Array, 'more than are remembered');
        });

        t.test('another key, or an altered packet: not authentic, and no harm done', async (t) => {
          const { sender, receiver } = pair();
          const stranger = new SrtpReceiver(ciphers, newKey(suite));
          t.equal(open(stranger, protect(sender, rtp(1, 160))), UNAUTHENTIC);
          t.equal(open(stranger, protect(sender, rtcp())), UNAUTHENTIC);
          for (const packet of [rtp(2, 40), rtcp()]) {
            const secured = protect(sender, packet);
            for (let i = 0; i < secured.length * 8; i += 5) {
              const altered = secured.slice();
              altered[i >>> 3]! ^= 1 << (i & 7);
              const result = open(receiver, altered);
              t.ok(typeof result === 'number' && result < 0, `bit ${i}`);
            }
            t.same(open(receiver, secured), packet, 'the true one still comes through');
          }
        });

        t.test('whatever arrives: a length or a reason, never an error', async () => {
          const { sender, receiver } = pair();
          const true_ = [protect(sender, rtp(1, 160)), protect(sender, rtcp()), protect(sender, rtp(2, 0))];
          const mutated = fc
            .tuple(fc.constantFrom(...true_), fc.array(fc.tuple(fc.nat(200), fc.nat(255))), fc.nat(200))
            .map(([packet, edits, length]) => {
              const copy = packet.slice(0, length);
              for (const [at, value] of edits) if (at < copy.length) copy[at] = value;
              return copy;
            });
          fc.assert(
            fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated), fc.boolean(), (packet, control) => {
              memory.set(packet, 64);
              const result = control ? receiver.openRtcp(64, packet.length) : receiver.openRtp(64, packet.length);
              return result === UNAUTHENTIC || result === REPLAYED || (result >= 0 && result < packet.length);
            }),
            { numRuns: 3000 },
          );
        });
      });
  });

t.test('SRTCP without encryption, as a peer may have agreed on', async (t) => {
  const memory = new Uint8Array(512);
  const ciphers = chooseSrtpCiphers('auto').over(memory);
  const master = newKey('AES_CM_128_HMAC_SHA1_80');
  const packet = rtcp();
  memory.set(packet);
  memory.set([0, 0, 0, 9], packet.length);
  const hmac = ciphers.hmac(deriveSessionKeys(ciphers, master).rtcp.authentication);
  hmac.digest(0, packet.length + 4);
  memory.set(ciphers.digest.subarray(0, 10), packet.length + 4);
  const receiver = new SrtpReceiver(ciphers, master);
  t.equal(receiver.openRtcp(0, packet.length + 14), packet.length);
  t.same(memory.subarray(0, packet.length), packet);
});

t.test('OpenSSL: what is closed is given back', async (t) => {
  const memory = new Uint8Array(4096);
  const ciphers = chooseSrtpCiphers('openssl').over(memory);
  const keys = NAMES.map(newKey);
  const openAndClose = (times: number): void => {
    for (let i = 0; i < times; i++) {
      const master = keys[i % keys.length]!;
      const [sender, receiver] = [new SrtpSender(ciphers, master), new SrtpReceiver(ciphers, master)];
      memory.set(rtp(i, 100));
      receiver.openRtp(0, sender.protectRtp(0, 112));
      sender.close();
      receiver.close();
      receiver.close();
    }
  };
  // The JavaScript heap grows once; sessions that are not closed would grow it in every round.
  const grownMb = Array.from({ length: 4 }, () => {
    const before = process.memoryUsage.rss();
    openAndClose(2000);
    return (process.memoryUsage.rss() - before) / 1e6;
  });
  // If they were not closed, 2,000 sessions would hold more than 12 MB of OpenSSL's memory.
  t.ok(Math.min(...grownMb) < 7, `resident memory grew by ${grownMb.map((mb) => mb.toFixed(1)).join(', ')} MB`);
});
