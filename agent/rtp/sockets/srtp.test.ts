/** Encrypted streams: the same figures as plain ones, whatever the source of the keys, and the effects of attacks and mistakes. */
import { REPLAYED, SrtpReceiver } from '@carillon/media/srtp/context.ts';
import { masterKeyOfText, type SrtpSuite, SUITES } from '@carillon/media/srtp/suites.ts';
import t from 'tap';
import { bytesFrom } from '../../../scripts/peers/seeded.ts';
import { DtlsContext } from '../../net/ciphers/dtls.ts';
import { chooseSrtpCiphers } from '../../net/ciphers/srtp-ciphers-open.ts';
import {
  createNode,
  type Datagram,
  drain,
  end,
  HERE,
  isRtp,
  Network,
  type Node,
  open,
  PCMU,
  run,
  seeded,
  sequenceOf,
  THERE,
} from '../../testing/rtp/simulation.ts';
import type { MediaLoopOptions } from '../loop/media-loop-options.ts';
import type { StreamSecurity } from '../media-engine.ts';

const NAMES = Object.keys(SUITES) as SrtpSuite[];
const SCRATCH = new Uint8Array(2048);
const random = seeded(29);
const keySalt = (suite: SrtpSuite): string => bytesFrom(random, 16 + SUITES[suite].saltBytes).toString('base64');

type Pair = { readonly here: StreamSecurity | null; readonly there: StreamSecurity | null };

/** Keys for both ends, as an offer and its answer carry them. */
function sdes(suite: SrtpSuite): Pair {
  const [ours, theirs] = [keySalt(suite), keySalt(suite)];
  const side = (send: string, receive: string): StreamSecurity => ({
    mode: 'SDES',
    send: { suite, keySalt: send },
    receive: { suite, keySalt: receive },
  });
  return { here: side(ours, theirs), there: side(theirs, ours) };
}

type CallOptions = {
  readonly here?: Partial<MediaLoopOptions>;
  readonly there?: Partial<MediaLoopOptions>;
  readonly muxed?: boolean;
  readonly random?: () => number;
};

/** One stream each way; none is started. */
function prepared({ here: ours = {}, there: theirs = {}, muxed = false, random }: CallOptions = {}) {
  const network = new Network();
  const options = { rtcpMinimumMs: 500 };
  const here = createNode(network, { ...options, random: random ?? seeded(1), ...ours });
  const there = createNode(network, { ...options, random: random ?? seeded(2), ...theirs });
  const [a] = open(here, HERE, 1) as [ReturnType<typeof open>[0]];
  const [b] = open(there, THERE, 1) as [ReturnType<typeof open>[0]];
  const session = (address: string, port: number, security: StreamSecurity | null) =>
    ({
      remote: { address, rtpPort: port, rtcpPort: muxed ? port : port + 1 },
      format: PCMU,
      source: 'TONE',
      direction: 'BOTH',
      security,
    }) as const;
  return {
    network,
    here,
    there,
    both: [here, there] as readonly Node[],
    rows: { here: a!.row, there: b!.row },
    ports: { here: a!.rtpPort, there: b!.rtpPort },
    sessions: (security: Pair) => ({
      here: session(THERE, b!.rtpPort, security.here),
      there: session(HERE, a!.rtpPort, security.there),
    }),
    start(security: Pair) {
      here.loop.start(a!.row, this.sessions(security).here);
      there.loop.start(b!.row, this.sessions(security).there);
    },
  };
}

const COMPARED = [
  'packetsSent',
  'octetsSent',
  'packetsReceived',
  'octetsReceived',
  'lost',
  'reordered',
  'jitterMeanMs',
  'jitterMaxMs',
  'remoteLost',
  'rttCount',
  'malformed',
  'foreign',
] as const;

/** Every 17th is lost, some are late and reordered. */
const roughPath = (): Network['path'] => {
  const random = seeded(7);
  let count = 0;
  return ({ bytes }: Datagram) => {
    if (!isRtp(bytes)) return [0.1];
    count += 1;
    return count % 17 === 5 ? [] : [random() * 30];
  };
};

function figuresOver(security: Pair, options: CallOptions) {
  const call = prepared(options);
  call.network.path = roughPath();
  call.start(security);
  run(call.network, call.both, 6000);
  drain(call.network, call.both);
  const records = [...end(call.network, call.here), ...end(call.network, call.there)];
  return { records, figures: records.map((record) => COMPARED.map((key) => [key, record[key]])) };
}

t.test('SDES: figures are those of plain RTP', async (t) => {
  const plain = figuresOver({ here: null, there: null }, {}).figures;
  for (const adapter of ['openssl', 'node'] as const)
    for (const suite of NAMES) {
      const ciphers = chooseSrtpCiphers(adapter);
      const { figures, records } = figuresOver(sdes(suite), { here: { ciphers }, there: { ciphers } });
      t.same(figures, plain, `${suite}, ${adapter}`);
      for (const record of records)
        t.match(record, { security: 'SDES', srtpSuite: suite, srtpAuthFailed: 0, srtpReplayed: 0 });
    }
  const muxed = figuresOver(sdes('AEAD_AES_128_GCM'), { muxed: true });
  t.same(muxed.figures, figuresOver({ here: null, there: null }, { muxed: true }).figures, 'RTP and RTCP on one port');
});

t.test('nothing of the payload is on the wire, RTP or RTCP', async (t) => {
  const plain = prepared();
  plain.start({ here: null, there: null });
  run(plain.network, plain.both, 2000);
  const secured = prepared();
  secured.start(sdes('AES_CM_128_HMAC_SHA1_32'));
  run(secured.network, secured.both, 2000);
  t.equal(secured.network.sent.length, plain.network.sent.length);
  const seen = new Set(plain.network.sent.map(({ bytes }) => Buffer.from(bytes.subarray(12, 28)).toString('hex')));
  for (const { bytes } of secured.network.sent) t.notOk(seen.has(Buffer.from(bytes.subarray(12, 28)).toString('hex')));
});

t.test('sequence numbers wrap, and packets are lost around it', async (t) => {
  // The first number is random in the lower half, so that no loss at the beginning can hide a rollover: the highest of them here.
  const random = () => 1 - 2 ** -33;
  const call = prepared({ random });
  const format = { ...PCMU, packetMs: 5 };
  const { here, there } = call.sessions(sdes('AES_CM_128_HMAC_SHA1_80'));
  let count = 0;
  call.network.path = ({ bytes }) => (isRtp(bytes) && ++count % 13 < 2 ? [] : [0.1 + (count % 7) * 4]);
  call.here.loop.start(call.rows.here, { ...here, format });
  call.there.loop.start(call.rows.there, { ...there, format });
  run(call.network, call.both, (0x8000 + 500) * 5);
  drain(call.network, call.both);
  const numbers = call.network.sent.filter(({ bytes }) => isRtp(bytes)).map(({ bytes }) => sequenceOf(bytes));
  t.ok(Math.max(...numbers.slice(0, 2)) < 0x8000 && numbers.includes(0xffff) && numbers.includes(9));
  for (const record of [...end(call.network, call.here), ...end(call.network, call.there)]) {
    t.match(record, { srtpAuthFailed: 0, srtpReplayed: 0, ssrcChanges: 0, restarts: 0 });
    t.ok(record.packetsReceived > 27_000 && record.packetsReceived + record.lost > 33_000);
  }
});

t.test('doubled datagrams are replays, and not counted twice', async (t) => {
  const call = prepared();
  call.network.path = () => [0.1, 5];
  call.start(sdes('AEAD_AES_128_GCM'));
  run(call.network, call.both, 2000);
  drain(call.network, call.both);
  for (const record of [...end(call.network, call.here), ...end(call.network, call.there)]) {
    t.match(record, { lost: 0, duplicates: 0, srtpAuthFailed: 0 });
    t.ok(record.srtpReplayed >= record.packetsReceived - 1);
  }
  t.ok(call.here.memory.noise.srtpReplayed[0]! > 90, 'the thread knows, too');
});

t.test('the wrong keys: everything is counted as that, and nothing as media', async (t) => {
  const call = prepared();
  const [one, other] = [sdes('AES_CM_128_HMAC_SHA1_80'), sdes('AES_CM_128_HMAC_SHA1_80')];
  call.start({ here: one.here, there: other.there });
  run(call.network, call.both, 1000);
  for (const record of [...end(call.network, call.here), ...end(call.network, call.there)]) {
    t.match(record, { packetsReceived: 0, lost: 0, malformed: 0, rttCount: 0 });
    t.ok(record.srtpAuthFailed > 45);
  }
  const { received, srtpAuthFailed } = call.here.memory.noise;
  t.ok(srtpAuthFailed[0]! > 45);
  t.equal(received[0], call.network.delivered.filter(({ to }) => to.startsWith(`${HERE}:`)).length, 'all was received');
});

t.test('new keys on a re-INVITE: rollover counters restart, figures continue', async (t) => {
  const call = prepared();
  call.start(sdes('AES_CM_128_HMAC_SHA1_80'));
  run(call.network, call.both, 1000);
  const next = call.sessions(sdes('AEAD_AES_128_GCM'));
  call.here.loop.change(call.rows.here, next.here);
  // The answer is in transit: packets that arrive meanwhile cannot be decrypted, and are not counted as lost.
  run(call.network, call.both, 100);
  call.there.loop.change(call.rows.there, next.there);
  run(call.network, call.both, 1000);
  call.here.loop.change(call.rows.here, next.here);
  run(call.network, call.both, 500);
  const plain = call.sessions({ here: null, there: null });
  call.there.loop.change(call.rows.there, plain.there);
  call.here.loop.change(call.rows.here, plain.here);
  run(call.network, call.both, 500);
  drain(call.network, call.both);
  for (const record of [...end(call.network, call.here), ...end(call.network, call.there)]) {
    t.match(record, { lost: 0, restarts: 0, ssrcChanges: 0 });
    t.ok(record.packetsReceived >= 140 && record.srtpAuthFailed <= 8, `${record.srtpAuthFailed} at the change`);
  }
});

t.test('a key of ours that stays, or comes again, goes on with its indexes', async (t) => {
  for (const suite of NAMES) {
    const call = prepared();
    const [one, other, third] = [sdes(suite), sdes(suite), sdes(suite)];
    const theirs = (security: Pair) => (security.here?.mode === 'SDES' ? security.here.receive : null)!;
    const ours = (security: Pair) => (security.here?.mode === 'SDES' ? security.here.send : null)!;
    const first = call.sessions(one).here;
    const rounds = [
      first,
      { ...first, security: { mode: 'SDES', send: ours(one), receive: theirs(other) } },
      { ...first, security: { mode: 'SDES', send: ours(third), receive: theirs(other) } },
      { ...first, remote: { ...first.remote, rtcpPort: first.remote.rtpPort } },
      { ...first, remote: null, direction: 'NONE' },
      first,
    ] as const;
    const sent: Datagram[] = [];
    for (const [i, session] of rounds.entries()) {
      const before = call.network.sent.length;
      call.here.loop[i === 0 ? 'start' : 'change'](call.rows.here, session);
      run(call.network, call.both, 1500);
      if (session.security === first.security || i === 1) sent.push(...call.network.sent.slice(before));
    }
    const key = ours(one);
    const receiver = new SrtpReceiver(chooseSrtpCiphers('node').over(SCRATCH), masterKeyOfText(suite, key.keySalt));
    let [packets, reports] = [0, 0];
    for (const { bytes } of sent) {
      SCRATCH.set(bytes);
      const rtcp = !isRtp(bytes);
      const length = rtcp ? receiver.openRtcp(0, bytes.length) : receiver.openRtp(0, bytes.length);
      t.not(length, REPLAYED, 'no index is used twice');
      t.ok(length >= 0, 'it is of the one key');
      if (rtcp) reports += 1;
      else packets += 1;
    }
    t.ok(packets > 250 && reports > 6, `${packets} packets, ${reports} reports`);
    call.here.loop.closeAll();
    call.there.loop.closeAll();
  }
});

t.test('a new key begins in the lower half of the sequence numbers', async (t) => {
  // The highest possible initial number: 0x7fff.
  const call = prepared({ random: () => 1 - 2 ** -33 });
  const suite = 'AES_CM_128_HMAC_SHA1_80';
  call.start(sdes(suite));
  run(call.network, call.both, 1000);
  const before = call.network.sent.length;
  const next = call.sessions(sdes(suite));
  call.here.loop.change(call.rows.here, next.here);
  call.there.loop.change(call.rows.there, next.there);
  run(call.network, call.both, 1000);
  const numbers = (from: number, to?: number) =>
    call.network.sent.slice(from, to).flatMap(({ bytes }) => (isRtp(bytes) ? [sequenceOf(bytes)] : []));
  t.ok(Math.max(...numbers(0, before)) > 0x8000);
  t.ok(numbers(before).length > 90 && Math.max(...numbers(before)) < 0x8000);
  for (const record of [...end(call.network, call.here), ...end(call.network, call.there)])
    t.ok(record.srtpAuthFailed <= 1 && record.srtpReplayed === 0 && record.lost === 0, 'one was on its way');
});

t.test('DTLS', async (t) => {
  const origin = new DtlsContext();
  const [ours, theirs] = [new DtlsContext(), new DtlsContext(origin.identity)];
  t.equal(theirs.fingerprint, origin.fingerprint, 'threads share a certificate');
  const pair = (role: 'CLIENT' | 'SERVER', value = theirs.fingerprint): Pair => ({
    here: { mode: 'DTLS', role, fingerprints: [{ hash: 'sha-256', value }] },
    there: {
      mode: 'DTLS',
      role: role === 'CLIENT' ? 'SERVER' : 'CLIENT',
      fingerprints: [{ hash: 'SHA-256', value: ours.fingerprint.toLowerCase() }],
    },
  });
  const contexts = () => ({ here: { dtls: ours }, there: { dtls: theirs } });
  for (const role of ['CLIENT', 'SERVER'] as const)
    for (const muxed of [true, false])
      await t.test(`as ${role}, ${muxed ? 'one port' : 'a handshake for each port'}`, async (t) => {
        const call = prepared({ ...contexts(), muxed });
        call.start(pair(role));
        run(call.network, call.both, 3000);
        drain(call.network, call.both);
        for (const record of [...end(call.network, call.here), ...end(call.network, call.there)]) {
          t.match(record, {
            security: 'DTLS',
            srtpSuite: 'AEAD_AES_128_GCM',
            lost: 0,
            srtpAuthFailed: 0,
            malformed: 0,
          });
          t.ok(record.packetsReceived >= 140 && record.packetsReceived <= 150, `${record.packetsReceived}`);
          t.ok(record.jitterMaxMs < 1e-6 && record.rttCount > 0 && record.handshakeMs > 0);
          t.equal(record.sendErrors, 0, 'nobody spoke before the keys were there');
        }
      });

  await t.test('hold without an address, and back: no handshake begins', async (t) => {
    for (const muxed of [true, false]) {
      const call = prepared({ ...contexts(), muxed });
      const agreed = pair('CLIENT');
      call.start(agreed);
      run(call.network, call.both, 1000);
      const { here } = call.sessions(agreed);
      call.here.loop.change(call.rows.here, { ...here, remote: null, direction: 'NONE' });
      run(call.network, call.both, 1000);
      call.here.loop.change(call.rows.here, here);
      const before = call.network.sent.length;
      run(call.network, call.both, 1000);
      const sent = call.network.sent.slice(before).filter(({ bytes }) => isRtp(bytes));
      t.ok(sent.length > 90, 'both send at once');
      for (const record of [...end(call.network, call.here), ...end(call.network, call.there)])
        t.match(record, { security: 'DTLS', srtpAuthFailed: 0, srtpReplayed: 0, lost: 0, sendErrors: 0, srtpEarly: 0 });
    }
  });

  await t.test('another call to the same certificate: a handshake of its own', async (t) => {
    const call = prepared({ ...contexts(), muxed: true });
    const agreed = pair('CLIENT');
    call.start(agreed);
    run(call.network, call.both, 1000);
    const { here, there } = call.sessions(agreed);
    const before = call.network.sent.length;
    call.there.loop.change(call.rows.there, { ...there, association: 1 });
    call.here.loop.change(call.rows.here, { ...here, association: 1 });
    run(call.network, call.both, 1000);
    const fresh = call.network.sent.slice(before);
    t.ok(
      fresh.some(({ bytes }) => bytes[0] === 22),
      'DTLS handshake records',
    );
    t.ok(fresh.filter(({ bytes }) => isRtp(bytes)).length > 60, 'and media after it');
    for (const record of [...end(call.network, call.here), ...end(call.network, call.there)])
      t.match(record, { security: 'DTLS', srtpAuthFailed: 0, srtpReplayed: 0 });
  });

  await t.test('a certificate of another fingerprint', async (t) => {
    const call = prepared({ ...contexts(), muxed: true });
    call.start(pair('CLIENT', ours.fingerprint));
    run(call.network, call.both, 1000);
    const [record] = end(call.network, call.here);
    t.match(record, { security: 'FINGERPRINT_MISMATCH', packetsReceived: 0, packetsSent: 0 });
    t.ok(record!.srtpEarly > 0, 'what the peer sent was dropped');
  });

  await t.test('media that comes before the handshake has ended is dropped and counted', async (t) => {
    const call = prepared({ ...contexts(), muxed: true });
    const { here, there } = call.sessions(pair('CLIENT'));
    call.there.loop.start(call.rows.there, { ...there, security: null });
    run(call.network, call.both, 200);
    call.here.loop.start(call.rows.here, here);
    run(call.network, call.both, 800);
    const [record] = end(call.network, call.here);
    t.match(record, { security: 'HANDSHAKE', packetsReceived: 0, packetsSent: 0, srtpAuthFailed: 0 });
    t.ok(record!.srtpEarly > 40);
  });

  await t.test('no DTLS here: silence, with its name', async (t) => {
    const call = prepared({ here: { dtls: null }, there: { dtls: theirs }, muxed: true });
    call.start(pair('SERVER'));
    run(call.network, call.both, 500);
    t.match(end(call.network, call.here)[0], { security: 'DTLS_UNAVAILABLE', packetsSent: 0 });
  });

  await t.test('STUN, strangers and rubbish', async (t) => {
    const call = prepared({ ...contexts(), muxed: true });
    call.start(pair('CLIENT'));
    run(call.network, call.both, 500);
    const to = `${HERE}:${call.ports.here}`;
    const from = `${THERE}:${call.ports.there}`;
    const random = seeded(3);
    const send = (sender: string, first: number) => {
      const bytes = Uint8Array.from({ length: 1 + Math.floor(random() * 200) }, () => random() * 256);
      bytes[0] = first;
      call.network.transmit({ from: sender, to, bytes, sentMs: call.network.nowMs });
    };
    for (let first = 0; first < 256; first++) {
      send(from, first);
      send('10.0.0.9:1000', first);
      run(call.network, call.both, 1);
    }
    run(call.network, call.both, 500);
    const [record] = end(call.network, call.here);
    // First bytes of 0 to 3 are STUN, 20 to 63 DTLS; the rest cannot be decrypted, whatever its source.
    t.match(record, { stun: 8, foreign: 44, security: 'DTLS', lost: 0 });
    t.equal(record!.srtpAuthFailed, 512 - 8 - 88);
    t.ok(record!.packetsReceived > 55, 'the stream goes on');
  });
});
