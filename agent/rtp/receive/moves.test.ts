/**
 * A stream that comes on from another port or address, or with another SSRC, payload type or packet size, in plain RTP, SRTP and
 * ICE, over IPv4 and IPv6: it is heard on, and what moved is known.
 */
import { localCandidates } from '@carillon/media/ice/candidate.ts';
import t from 'tap';
import {
  createNode,
  end,
  isRtp,
  Network,
  open,
  PCMU,
  run,
  type SimulatedPath,
  seeded,
} from '../../testing/rtp/simulation.ts';
import type { IceSession, StreamSecurity, StreamSession } from '../media-engine.ts';

const FAMILIES = { IPv4: ['10.0.0.1', '10.0.0.2', '10.0.0.9'], IPv6: ['fd00::1', 'fd00::2', 'fd00::9'] } as const;
type Kind = 'PLAIN' | 'SDES' | 'ICE';

/** Of each direction. */
const KEYS = [3, 5].map((n) => ({
  suite: 'AES_CM_128_HMAC_SHA1_80' as const,
  keySalt: Buffer.alloc(30, n).toString('base64'),
}));
const [FIRST, SECOND] = KEYS as [(typeof KEYS)[0], (typeof KEYS)[0]];
const WAYS = { here: { send: FIRST, receive: SECOND }, there: { send: SECOND, receive: FIRST } } as const;

const CREDENTIALS = {
  here: { ufrag: 'here', pwd: 'h'.repeat(22) },
  there: { ufrag: 'ther', pwd: 't'.repeat(22) },
} as const;
function iceOf(end: 'here' | 'there', address: string, port: number): IceSession {
  const other = end === 'here' ? 'there' : 'here';
  const candidates = localCandidates({ address, port }, null);
  return {
    local: CREDENTIALS[end],
    remote: { ...CREDENTIALS[other], lite: false, candidates },
    controlling: end === 'here',
  };
}

/** A call of which `here` is judged; after a second it goes on by `path`, and as `there` is changed. */
function moved(
  kind: Kind,
  addresses: readonly [string, string, string],
  path: (calls: Calls) => SimulatedPath,
  ms = 3000,
) {
  const calls = begun(kind, addresses);
  const { network, here, both, ours } = calls;
  run(network, both, 1000);
  network.path = path(calls);
  run(network, both, ms);
  const [record] = end(network, here);
  return { record: record!, asked: calls.asked, followed: calls.followed, row: ours.row };
}

type Calls = ReturnType<typeof begun>;

function begun(kind: Kind, [own, peer, elsewhere]: readonly [string, string, string]) {
  const network = new Network();
  // As the kernel does, but where ICE hears everybody.
  network.refuses = true;
  const asked: string[] = [];
  const followed: string[] = [];
  const here = createNode(network, {
    random: seeded(1),
    onSource: (row, { address, port }) => {
      asked.push(`${address}:${port}`);
      here.loop.follow(row, address, port);
    },
  });
  const there = createNode(network, { random: seeded(2) });
  const profile = { stream: 0, ...(kind === 'ICE' && { ice: { stunServer: null } }) };
  const ours = open(here, own, 1, 7, profile)[0]!;
  const theirs = open(there, peer, 1, 7, profile)[0]!;
  const session = (end: 'here' | 'there'): StreamSession => {
    const [address, { rtpPort }] = end === 'here' ? [peer, theirs] : [own, ours];
    const security: StreamSecurity | null = kind === 'SDES' ? { mode: 'SDES', ...WAYS[end] } : null;
    return {
      remote: { address, rtpPort, rtcpPort: rtpPort },
      format: { ...PCMU, otherPayloadTypes: [8] },
      source: 'TONE',
      direction: 'BOTH',
      security,
      ...(kind === 'ICE' && { ice: iceOf(end, address, rtpPort) }),
    };
  };
  here.loop.start(ours.row, session('here'));
  there.loop.start(theirs.row, session('there'));
  here.loop.expect(ours.row, true);
  return { network, here, there, both: [here, there], ours, theirs, asked, followed, session, peer, elsewhere };
}

/** Packets of the peer come from there. */
const from =
  (address: string, port: number) =>
  ({ network, peer, theirs }: Calls): SimulatedPath =>
  (one) => {
    if (one.from !== `${peer}:${theirs.rtpPort}` || !isRtp(one.bytes)) return [0.05];
    network.transmit({ ...one, from: `${address}:${port}` });
    return [];
  };

for (const [family, addresses] of Object.entries(FAMILIES))
  for (const kind of ['PLAIN', 'SDES', 'ICE'] as const)
    for (const [what, address] of [
      ['another port', addresses[1]],
      ['another address', addresses[2]],
    ] as const)
      t.test(`${kind} over ${family}: ${what}`, async (t) => {
        const { record, asked } = moved(kind, addresses, from(address, 5000));
        t.match(record, { ssrcChanges: 0, otherSources: 0, absence: { tailMs: 0, gaps: 0 } }, 'heard on');
        t.ok(record.lost <= 8, `${record.lost} of ${record.numbered} were lost, until others were heard again`);
        t.equal(record.packetsReceived + record.lost, record.numbered);
        if (kind === 'ICE') {
          t.match([record.followed, asked], [0, []], 'ICE chooses where ours go');
          t.ok(record.elsewhere > 130, `${record.elsewhere} came from elsewhere`);
        } else {
          t.match(record, { followed: 1, remoteAddress: address, remotePort: 5000 });
          t.same(asked, [`${address}:5000`], 'asked once');
        }
      });

/** What `there` does otherwise from then on. */
const changed =
  (more: Partial<StreamSession>) =>
  ({ there, theirs, session }: Calls): SimulatedPath => {
    there.loop.change(theirs.row, { ...session('there'), ...more });
    return () => [0.05];
  };
/** With other bytes in the RTP header. */
const rewritten =
  (write: (bytes: Uint8Array) => void) =>
  ({ peer }: Calls): SimulatedPath =>
  ({ from, bytes }) => {
    if (from.startsWith(peer) && isRtp(bytes)) write(bytes);
    return [0.05];
  };
const inHeader = (at: number, word: number) => (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, word);

t.test('what changes in the same place is heard on, and counted by its own figure', async (t) => {
  const whole = { lost: 0, absence: { tailMs: 0, gaps: 0, absentMs: 0 } };
  const { IPv4 } = FAMILIES;
  t.match(
    moved('PLAIN', IPv4, rewritten(inHeader(8, 0x5eed))).record,
    { ...whole, ssrcChanges: 1, otherSources: 0 },
    'another SSRC',
  );
  const pcma = { ...PCMU, codec: 'PCMA', sendPayloadType: 8, otherPayloadTypes: [0] } as const;
  t.match(
    moved('PLAIN', IPv4, changed({ format: pcma })).record,
    { ...whole, unexpectedPayloadTypes: 0 },
    'another agreed codec',
  );
  for (const packetMs of [10, 30, 40, 60] as const)
    for (const kind of ['PLAIN', 'SDES', 'ICE'] as const) {
      const { record } = moved(kind, IPv4, changed({ format: { ...PCMU, packetMs, otherPayloadTypes: [8] } }));
      t.match(
        record,
        { lost: 0, unexpectedPayloadTypes: 0, absence: { tailMs: 0, gaps: 0 } },
        `${kind}: ${packetMs} ms`,
      );
      t.ok(record.absence.absentMs <= packetMs, `${kind}: ${record.absence.absentMs} ms are missing at ${packetMs} ms`);
    }
  const noise = moved(
    'PLAIN',
    IPv4,
    rewritten((bytes) => (bytes[1] = (bytes[1]! & 0x80) | 13)),
  ).record;
  t.match(noise, { ...whole, unexpectedPayloadTypes: 0 }, 'type 13 needs no agreement');
  t.ok(noise.comfortNoisePackets > 145, `${noise.comfortNoisePackets} packets of it`);
  const other = moved(
    'PLAIN',
    IPv4,
    rewritten((bytes) => (bytes[1] = (bytes[1]! & 0x80) | 96)),
  ).record;
  t.ok(other.unexpectedPayloadTypes > 145 && other.lost === 0, 'a type that was not agreed on is named by it');
});

t.test('another SSRC from another port at the same time is followed', async (t) => {
  const { record } = moved('PLAIN', FAMILIES.IPv4, (calls) => {
    const path = from(calls.elsewhere, 5000)(calls);
    return (one) => {
      if (one.from.startsWith(calls.peer) && isRtp(one.bytes)) inHeader(8, 0x5eed)(one.bytes);
      return path(one);
    };
  });
  t.match(record, { followed: 1, ssrcChanges: 1, absence: { tailMs: 0, gaps: 0 } });
});

t.test('a stream that comes from two ports at once is heard from both, and the other one is named', async (t) => {
  for (const kind of ['PLAIN', 'SDES', 'ICE'] as const)
    for (const [every, least] of [
      [2, 110],
      [5, 40],
    ] as const) {
      const { record, asked } = moved(
        kind,
        FAMILIES.IPv4,
        (calls) => {
          const path = from(calls.peer, 5000)(calls);
          let n = 0;
          return (one) =>
            isRtp(one.bytes) && one.from === `${calls.peer}:${calls.theirs.rtpPort}` && n++ % every === 0
              ? path(one)
              : [0.05];
        },
        5000,
      );
      t.match(record, { followed: 0, absence: { tailMs: 0, gaps: 0 } }, `${kind}, each ${every}th`);
      t.ok(record.lost <= 8, `${kind}: ${record.lost} of ${record.numbered} lost, until others were heard`);
      t.ok(record.elsewhere >= least, `${kind}: ${record.elsewhere} came from elsewhere`);
      t.same(asked, [], 'ours still go where the peer said');
    }
});

t.test('loss does not keep a socket open, and a second source is counted beside the stream', async (t) => {
  const { record } = moved('PLAIN', FAMILIES.IPv4, ({ peer }) => {
    let n = 0;
    return (one) => (isRtp(one.bytes) && one.from.startsWith(peer) && n++ % 4 === 0 ? [] : [0.05]);
  });
  t.match(record, { elsewhere: 0, foreign: 0, followed: 0, otherSources: 0 });
  t.ok(record.lost > 30, `${record.lost} were lost`);
  const two = moved('PLAIN', FAMILIES.IPv4, ({ network, peer }) => (one) => {
    if (!isRtp(one.bytes) || !one.from.startsWith(peer)) return [0.05];
    // Of each packet, a copy: as it is itself.
    if (new DataView(one.bytes.buffer, one.bytes.byteOffset).getUint32(8) === 0x5eed) return [0.05];
    const bytes = Uint8Array.from(one.bytes);
    inHeader(8, 0x5eed)(bytes);
    network.transmit({ ...one, bytes });
    return [0.05];
  }).record;
  t.match(two, { ssrcChanges: 0, lost: 0 });
  t.ok(two.otherSources > 100, `${two.otherSources} of another SSRC`);
});
