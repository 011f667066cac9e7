/** ICE in the loops of media threads, over a simulated network: when packets are sent, what is counted, what a STUN server answers. */
import { createHmac } from 'node:crypto';
import { localCandidates } from '@carillon/media/ice/candidate.ts';
import { readStun, writeStun } from '@carillon/media/ice/stun.ts';
import t from 'tap';
import { DtlsContext } from '../../net/ciphers/dtls.ts';
import {
  createNode,
  end,
  HERE,
  isRtp,
  Network,
  type Node,
  open,
  PCMU,
  run,
  seeded,
  THERE,
} from '../../testing/rtp/simulation.ts';
import { ICE_STATES } from '../figures/stream-memory.ts';
import type { OpenedStream } from '../loop/open-job.ts';
import type { IceSession, StreamSecurity, StreamSession } from '../media-engine.ts';

const CREDENTIALS: Readonly<Record<string, IceSession['local']>> = {
  [HERE]: { ufrag: 'here', pwd: 'h'.repeat(22) },
  [THERE]: { ufrag: 'ther', pwd: 't'.repeat(22) },
};
const isStun = (bytes: Uint8Array): boolean => readStun(bytes) !== null;

function iceOf(own: string, peer: string, { rtpPort }: OpenedStream, controlling: boolean): IceSession {
  const credentials = CREDENTIALS[peer]!;
  const candidates = localCandidates({ address: peer, port: rtpPort }, null);
  return { local: CREDENTIALS[own]!, remote: { ...credentials, lite: false, candidates }, controlling };
}

const sessionOf = (address: string, { rtpPort }: OpenedStream, ice: IceSession): StreamSession => ({
  remote: { address, rtpPort, rtcpPort: rtpPort },
  format: PCMU,
  source: 'TONE',
  direction: 'BOTH',
  ice,
});

type Secured = { readonly dtls: DtlsContext; readonly security: StreamSecurity };

function twoEnds(path: Network['path'] = () => [0.05], secured?: { readonly here: Secured; readonly there: Secured }) {
  const network = new Network();
  network.path = path;
  const here = createNode(network, { random: seeded(1), dtls: secured?.here.dtls ?? null });
  const there = createNode(network, { random: seeded(2), dtls: secured?.there.dtls ?? null });
  const profile = { stream: 0, ice: { stunServer: null } };
  const [ours] = open(here, HERE, 1, 7, profile) as [OpenedStream];
  const [theirs] = open(there, THERE, 1, 7, profile) as [OpenedStream];
  here.loop.start(ours.row, {
    ...sessionOf(THERE, theirs, iceOf(HERE, THERE, theirs, true)),
    security: secured?.here.security ?? null,
  });
  there.loop.start(theirs.row, {
    ...sessionOf(HERE, ours, iceOf(THERE, HERE, ours, false)),
    security: secured?.there.security ?? null,
  });
  return { network, here, there, ours, theirs, both: [here, there] };
}

const stateOf = ({ memory }: Node, { row }: OpenedStream) => ICE_STATES[memory.streams.iceState[row]!];

t.test('media go once a pair is valid, none before; both ends count all of them, and no check as one', (t) => {
  const { network, here, there, ours, theirs, both } = twoEnds();
  run(network, both, 3000);
  t.same([stateOf(here, ours), stateOf(there, theirs)], ['COMPLETED', 'COMPLETED']);
  const first = network.sent.findIndex(({ bytes }) => !isStun(bytes));
  t.ok(
    network.sent.slice(0, first).some(({ bytes }) => readStun(bytes)?.type === 0x0101),
    'an answer came before',
  );
  network.path = () => [];
  run(network, both, 100);
  for (const node of both) {
    const [record] = end(network, node);
    t.match(record, { lost: 0, foreign: 0, malformed: 0, remotePort: node === here ? theirs.rtpPort : ours.rtpPort });
    t.ok((record?.packetsReceived ?? 0) > 140);
    t.match(record?.ice, { state: 'COMPLETED', localType: 'host', remoteType: 'host' });
    t.ok((record?.ice?.connectMs ?? 0) > 0);
  }
  t.end();
});

t.test('a hello that comes before our own check is answered waits for the way to its sender', (t) => {
  const dtls = { here: new DtlsContext(), there: new DtlsContext() };
  const security = (role: 'CLIENT' | 'SERVER', { fingerprint: value }: DtlsContext): StreamSecurity => ({
    ...{ mode: 'DTLS', role, fingerprints: [{ hash: 'sha-256', value }] },
  });
  const isAnswer = (bytes: Uint8Array): boolean => readStun(bytes)?.type === 0x0101;
  const isHello = (bytes: Uint8Array): boolean => bytes[0] === 22 && bytes[13] === 1;
  // The far end has its pair long before us.
  const { network, here, ours, both } = twoEnds(
    ({ to, bytes }) => [to.startsWith(HERE) && isAnswer(bytes) ? 100 : 0.05],
    {
      here: { dtls: dtls.here, security: security('SERVER', dtls.there) },
      there: { dtls: dtls.there, security: security('CLIENT', dtls.here) },
    },
  );
  // An unknown sender sends a check, too.
  const to = `${HERE}:${ours.rtpPort}`;
  const hello = Uint8Array.from({ length: 60 }, (_, i) => [22, 254, 253][i] ?? 0);
  network.transmit({ from: '192.0.2.99:4000', to, bytes: hello, sentMs: network.nowMs });
  run(network, both, 2000);
  t.equal(network.sent.filter(({ from, bytes }) => from.startsWith(THERE) && isHello(bytes)).length, 1, 'said once');
  for (const node of both) {
    const foreign = node === here ? 1 : 0;
    t.match(end(network, node)[0], { security: 'DTLS', lost: 0, foreign, ice: { state: 'COMPLETED' } });
  }
  t.end();
});

t.test('no way: nothing but checks is ever sent', (t) => {
  const { network, here, ours, both } = twoEnds(() => []);
  run(network, both, 45_000);
  t.equal(stateOf(here, ours), 'FAILED');
  t.ok(network.sent.every(({ bytes }) => isStun(bytes)));
  t.match(end(network, here)[0], { packetsSent: 0, ice: { state: 'FAILED', localType: null, connectMs: Number.NaN } });
  t.end();
});

t.test('a peer that is gone is sent nothing more after 30 s without its consent', (t) => {
  const { network, here, ours, both } = twoEnds();
  run(network, both, 2000);
  network.path = () => [];
  run(network, both, 37_000);
  t.equal(stateOf(here, ours), 'LOST');
  const before = network.sent.length;
  run(network, both, 5000);
  t.equal(network.sent.slice(before).filter(({ bytes }) => isRtp(bytes)).length, 0);
  t.end();
});

t.test('held, resumed, by another port: the pair goes on; other credentials find one again', (t) => {
  const { network, here, there, ours, theirs, both } = twoEnds();
  run(network, both, 1000);
  const session = sessionOf(THERE, theirs, iceOf(HERE, THERE, theirs, true));
  here.loop.change(ours.row, { ...session, remote: null });
  const before = network.sent.length;
  run(network, both, 500);
  const isOurs = ({ from, bytes }: { from: string; bytes: Uint8Array }) => from.startsWith(HERE) && !isStun(bytes);
  t.equal(network.sent.slice(before).filter(isOurs).length, 0, 'nowhere to send to');
  here.loop.change(ours.row, session);
  run(network, both, 500);
  t.ok(network.sent.slice(before).filter(isOurs).length > 20);
  const credentials = { ufrag: 'anew', pwd: 'n'.repeat(22) };
  const ice = session.ice as IceSession;
  here.loop.change(ours.row, { ...session, ice: { ...ice, local: credentials } });
  const theirIce = iceOf(THERE, HERE, ours, false);
  const restarted = { ...theirIce, remote: { ...theirIce.remote, ...credentials } };
  there.loop.change(theirs.row, sessionOf(HERE, ours, restarted));
  t.same([stateOf(here, ours), stateOf(there, theirs)], ['CHECKING', 'CHECKING']);
  run(network, both, 500);
  t.same([stateOf(here, ours), stateOf(there, theirs)], ['COMPLETED', 'COMPLETED']);
  t.end();
});

t.test('a STUN server is asked before streams are open; where it is silent, they open without', (t) => {
  const server = { address: '192.0.2.53', port: 3478 };
  for (const answers of [true, false]) {
    const network = new Network();
    const node = createNode(network);
    const opened: OpenedStream[] = [];
    node.loop.open({
      ...{ address: HERE, owner: 1, endpointNumbers: [0, 1] },
      profile: { stream: 0, ice: { stunServer: server } },
      done: (streams) => void opened.push(...streams),
    });
    const hmac = (password: string, bytes: Uint8Array) => createHmac('sha1', password).update(bytes).digest();
    network.path = ({ to, from, bytes }) => {
      if (!answers || to !== '192.0.2.53:3478') return [];
      const [address, port] = from.split(':') as [string, string];
      const mapped = { address: '198.51.100.7', port: Number(port) + 1 };
      const { transaction } = readStun(bytes)!;
      t.equal(address, HERE);
      // As if the server had answered.
      const answer = writeStun({ type: 0x0101, transaction, mapped }, hmac, null);
      network.path = () => [1];
      network.transmit({ from: '192.0.2.53:3478', to: from, bytes: answer, sentMs: network.nowMs });
      network.path = before;
      return [];
    };
    const before = network.path;
    run(network, [node], 2400);
    t.equal(opened.length, answers ? 2 : 0);
    run(network, [node], 300);
    t.same(
      opened.map(({ reflexive }) => reflexive),
      answers ? opened.map(({ rtpPort }) => ({ address: '198.51.100.7', port: rtpPort + 1 })) : [null, null],
    );
  }
  t.end();
});
