/** Audio and video over one transport (RFC 9143), between two loops in a simulated network: demultiplexing, and MIDs. */
import { localCandidates } from '@carillon/media/ice/candidate.ts';
import { isRtcp } from '@carillon/media/rtp/header.ts';
import t from 'tap';
import { DtlsContext } from '../../net/ciphers/dtls.ts';
import {
  createNode,
  end,
  HERE,
  Network,
  open,
  PCMU,
  run,
  seeded,
  sequenceOf,
  THERE,
} from '../../testing/rtp/simulation.ts';
import type { OpenedStream } from '../loop/open-job.ts';
import type { StreamSecurity, StreamSession, VideoFormat } from '../media-engine.ts';

const VP8: VideoFormat = {
  kind: 'VIDEO',
  codec: 'VP8',
  sendPayloadType: 96,
  receivePayloadType: 96,
  feedback: { nack: true, pli: true, fir: true },
};
const PWD = { [HERE]: 'h'.repeat(22), [THERE]: 't'.repeat(22) };
const NAMED_MS = 3000;

type Options = { extension: number | null; secured?: boolean };

/** Two ends, each with audio and video over the first one's port. */
function call({ extension, secured = false }: Options) {
  const network = new Network();
  network.path = () => [20];
  const contexts = secured ? [new DtlsContext(), new DtlsContext()] : [];
  const nodes = [HERE, THERE].map((_, i) =>
    createNode(network, { rtcpMinimumMs: 500, random: seeded(i + 1), dtls: contexts[i] ?? null }),
  );
  const addresses = [HERE, THERE] as const;
  const opened = nodes.map((node, i) =>
    [0, 1].map((stream) => open(node, addresses[i]!, 1, 7, { stream, ice: { stunServer: null } })[0] as OpenedStream),
  );
  for (const [i, node] of nodes.entries()) {
    const peer = 1 - i;
    const { rtpPort } = opened[peer]![0]!;
    const [local, remote] = [addresses[i]!, addresses[peer]!];
    const security: StreamSecurity | null = contexts[peer]
      ? {
          ...{ mode: 'DTLS', role: i === 0 ? 'CLIENT' : 'SERVER' },
          fingerprints: [{ hash: 'sha-256', value: contexts[peer].fingerprint }],
        }
      : null;
    const session = (mid: string): Omit<StreamSession, 'format' | 'source'> => ({
      remote: { address: remote, rtpPort, rtcpPort: rtpPort },
      direction: 'BOTH',
      security,
      ice: {
        local: { ufrag: 'x'.repeat(4) + i, pwd: PWD[local]! },
        remote: {
          ...{ ufrag: 'x'.repeat(4) + peer, pwd: PWD[remote]!, lite: false },
          candidates: localCandidates({ address: remote, port: rtpPort }, null),
        },
        controlling: i === 0,
      },
      bundle: { carrier: opened[i]![0]!.row, mid, extension },
    });
    node.loop.start(opened[i]![0]!.row, { ...session('a'), format: PCMU, source: 'TONE' });
    node.loop.start(opened[i]![1]!.row, { ...session('v'), format: VP8, source: 'PATTERN' });
  }
  return { network, nodes, opened };
}

for (const options of [{ extension: 3 }, { extension: null }, { extension: 3, secured: true }])
  t.test(`audio and video, ${JSON.stringify(options)}`, (t) => {
    const { network, nodes, opened } = call(options);
    run(network, nodes, NAMED_MS);
    const ports = new Set(opened.map(([audio]) => audio!.rtpPort));
    t.ok(
      network.sent.every(
        ({ from, to }) => ports.has(Number(from.split(':')[1])) && ports.has(Number(to.split(':')[1])),
      ),
      'nothing goes over the other ports',
    );
    const media = network.sent.filter(({ bytes }) => bytes[0]! >> 6 === 2 && !isRtcp(bytes, 0));
    const isNamed = ({ bytes }: { bytes: Uint8Array }): boolean => (bytes[0]! & 0x10) !== 0;
    t.equal(media.some(isNamed), options.extension !== null);
    t.notOk(media.slice(-20).some(isNamed), 'nothing is named once the far end reports on it');
    if (options.extension !== null && !options.secured) {
      const names = media.filter(isNamed).map(({ bytes }) => [bytes[1]! & 0x7f, bytes[16]! >> 4, bytes[17]]);
      const expected = new Set([JSON.stringify([0, 3, 0x61]), JSON.stringify([96, 3, 0x76])]);
      t.same(new Set(names.map((name) => JSON.stringify(name))), expected);
    }
    network.path = () => [];
    run(network, nodes, 100);
    for (const [i, node] of nodes.entries()) {
      const records = end(network, node);
      t.equal(records.length, 2);
      for (const record of records) {
        t.match(record, {
          lost: 0,
          foreign: 0,
          malformed: 0,
          unexpectedPayloadTypes: 0,
          otherSources: 0,
          ssrcChanges: 0,
        });
        t.match(record, { security: options.secured ? 'DTLS' : 'NONE', ice: { state: 'COMPLETED' } });
        t.match(record, { localPort: opened[i]![0]!.rtpPort, remotePort: opened[1 - i]![0]!.rtpPort });
        t.ok(record.packetsReceived > 40 && record.packetsSent > 40, `${record.packetsReceived} received`);
        t.ok(record.rttCount > 0 && record.remoteLost === 0, 'reports come to the stream that they are of');
      }
      t.not(records[0]!.ssrcReceived, records[1]!.ssrcReceived);
    }
    t.end();
  });

t.test('a lost packet of video is asked for under its own name, and sent again', (t) => {
  const { network, nodes, opened } = call({ extension: null });
  let lost = -1;
  network.path = ({ bytes, from }) => {
    const isVideo = !isRtcp(bytes, 0) && bytes[0]! >> 6 === 2 && (bytes[1]! & 0x7f) === 96 && from.startsWith(HERE);
    if (!isVideo || lost >= 0 || network.sent.length < 400) return [20];
    lost = sequenceOf(bytes);
    return [];
  };
  run(network, nodes, NAMED_MS);
  network.path = () => [];
  run(network, nodes, 100);
  t.ok(lost >= 0);
  const [, video] = end(network, nodes[1]!);
  t.equal(video!.lost, 0, 'it came again');
  const { nacksReceived } = nodes[0]!.memory.streams;
  t.ok(nacksReceived[opened[0]![1]!.row]! > 0);
  t.equal(nacksReceived[opened[0]![0]!.row], 0);
  t.end();
});
