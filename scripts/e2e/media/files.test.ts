/**
 * Recordings from upload to playback: an observer hears on the wire what was uploaded; agents fetch it once, and only those
 * that play it.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { A_LAW_TO_LINEAR, decodeG711, MU_LAW_TO_LINEAR } from '@carillon/media/codec/g711.ts';
import { G722Decoder } from '@carillon/media/codec/g722.ts';
import { encodeAgentFrame, MEDIA_CHUNK_BYTES } from '@carillon/proto';
import t from 'tap';
import { createOpusDecoder } from '../../../agent/playback/opus.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { greeting, openRawLink, type RawLink } from '../../peers/network/raw-link.ts';
import { freshScrape, scrape } from '../../peers/referees/prometheus-text.ts';
import { hear, toneLevel, toneWav } from '../../peers/referees/tone.ts';
import { startCapture } from '../../peers/referees/tshark.ts';

const CALLS = 3;
const SECONDS = 3;
const AGENTS = 2;
const PEAK = 0.25;
const HZ = 700;
/** A second of each: the start position of a stream can be heard. */
const STEPS_HZ = [500, 600, 700, 800, 900, 1000, 1100, 1200];
const TONE = toneWav({ hz: [HZ, HZ, HZ], peak: PEAK, rateHz: 44_100, channels: 2 });
const STEPS = toneWav({ hz: STEPS_HZ, peak: PEAK, rateHz: 16_000 });
const sha256 = (file: Buffer): Buffer => createHash('sha256').update(file).digest();
const chunks = (file: Buffer): number => Math.ceil(file.length / MEDIA_CHUNK_BYTES);

const CODECS = ['PCMU', 'PCMA', 'G722', 'OPUS'] as const;
type Codec = (typeof CODECS)[number];
const STRANGER = 'a-worker-of-somebody-else';

const net = ownLoopback();
const lab = await openLab(t, {
  net,
  agents: AGENTS,
  organizations: [{ slug: 'other', name: 'Other', workers: [{ name: 'stranger', joinToken: STRANGER }] }],
  provision: () => ({
    tests: [...CODECS, 'steps'].map((name) =>
      callsAmongAgents(name.toLowerCase(), {
        endpoints: CALLS,
        durationSeconds: SECONDS,
        media: { audioCodecs: [name === 'steps' ? 'PCMU' : (name as Codec)] },
      }),
    ),
  }),
});
const { projectId } = lab;

const upload = (name: string, file: Buffer) =>
  lab.call('createMediaFile', { projectId, name, content: file.toString('base64') });

/** All groups of the test play the recording. */
async function play(slug: string, mediaFileId: string): Promise<void> {
  const testId = lab.testId(slug);
  const { groups } = await lab.call('getTest', { projectId, testId });
  const mediaTracks = [{ kind: 'AUDIO' as const, source: 'FILE' as const, mediaFileId }];
  await lab.call('updateTest', {
    projectId,
    testId,
    groups: groups.map((group) => ({ ...group, mediaTracks })),
  } as never);
}

const chunkCount = async (result: 'sent' | 'refused'): Promise<number> =>
  (await freshScrape(lab.controlPlane.url)).value('carillon_recording_chunks_total', { result }) ?? 0;

const recordings = async (agent: number, origin: string): Promise<number> =>
  (await scrape(lab.agents[agent]!.metricsUrl)).value('carillon_agent_recordings_total', { origin }) ?? 0;

type Row = { worker: string; port: number; codec: string; lost: number };
const streams = (runId: string): Promise<Row[]> =>
  lab.query<Row>(
    `select s.codec, s.lost, w.name as worker, s.local_port as port
     from streams s join endpoints e on e.run_id = s.run_id and e.number = s.endpoint_number
     join workers w on w.id = e.worker_id where s.run_id = $1`,
    [runId],
  );

type Decode = (payloads: readonly Buffer[]) => Promise<{ samples: Int16Array; rateHz: number }>;
const g711 =
  (table: Int16Array): Decode =>
  async (payloads) => ({ samples: decodeG711(table, Buffer.concat(payloads)), rateHz: 8000 });
const DECODE: Readonly<Record<Codec, Decode>> = {
  PCMU: g711(MU_LAW_TO_LINEAR),
  PCMA: g711(A_LAW_TO_LINEAR),
  async G722(payloads) {
    const octets = Buffer.concat(payloads);
    const samples = new Int16Array(octets.length * 2);
    new G722Decoder().decode(octets, samples);
    return { samples, rateHz: 16_000 };
  },
  async OPUS(payloads) {
    const decoder = await createOpusDecoder();
    const parts = payloads.map((payload) => decoder.decode(payload));
    decoder.free();
    return { samples: Int16Array.from(parts.flatMap((part) => [...part])), rateHz: 48_000 };
  },
};
/** Until a decoder that starts in the middle has adapted to the level. */
const SETTLED_MS = 200;

const tone = await upload('tone', TONE);
const steps = await upload('steps', STEPS);
for (const codec of CODECS) await play(codec.toLowerCase(), tone.id);
await play('steps', steps.id);

const capture = await startCapture(net.network, () => lab.agents.map((agent) => agent.sipPort));
const runs = await Promise.all(
  [...CODECS, 'steps'].map(async (name) => [name, await lab.runWhole(name.toLowerCase())] as const),
);
const wire = await capture.stop();
t.teardown(() => wire.remove());
const packets = Map.groupBy(await wire.rtp(), (packet) => packet.to);
const addressOf = new Map(lab.agents.map((_, i) => [`agent-${i + 1}`, net.address(11 + i)]));

/** By stream: what reached it, and to which call it belongs. */
async function heardBy(runId: string) {
  const rows = await streams(runId);
  return rows.map((row) => ({ ...row, packets: packets.get(`${addressOf.get(row.worker)}:${row.port}`) ?? [] }));
}

await t.test('each codec carries the tone that was uploaded', async (t) => {
  t.match(tone, { sampleRateHz: 44_100, channels: 2, durationMs: 3000, sha256: sha256(TONE).toString('hex') });
  for (const [name, run] of runs) {
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } }, name);
    if (name === 'steps') continue;
    const codec = name as Codec;
    const rows = await heardBy(run.id);
    t.equal(rows.length, 2 * CALLS);
    for (const row of rows) {
      t.match(row, { codec, lost: 0 });
      const { samples, rateHz } = await DECODE[codec](row.packets.map(({ payload }) => payload));
      const heard = hear(samples.subarray((rateHz * SETTLED_MS) / 1000), rateHz);
      const said = `${codec}: ${heard.hz.toFixed(2)} Hz, ${heard.level.toFixed(2)} dBov, purity ${heard.purity.toFixed(4)}`;
      t.ok(Math.abs(heard.hz - HZ) < 1 && Math.abs(heard.level - toneLevel(PEAK)) < 0.5 && heard.purity > 0.98, said);
      t.ok(samples.length / rateHz > SECONDS * 0.5, `${samples.length / rateHz} s of it`);
    }
  }
});

await t.test('endpoints begin at places of their own', async (t) => {
  const rows = await heardBy(runs.at(-1)![1].id);
  const begins = await Promise.all(
    rows.map(async ({ packets }) => {
      const { samples, rateHz } = await DECODE.PCMU(packets.slice(0, 3).map(({ payload }) => payload));
      return Math.round(hear(samples, rateHz).hz / 100) * 100;
    }),
  );
  t.comment(`first heard: ${begins.join(', ')} Hz`);
  t.ok(begins.every((hz) => STEPS_HZ.includes(hz)));
  t.ok(new Set(begins).size >= CALLS, 'not in chorus');
});

const fetched = AGENTS * (chunks(TONE) + chunks(STEPS));
await t.test('each agent has fetched each recording once', async (t) => {
  t.equal(await chunkCount('sent'), fetched);
  t.equal(await chunkCount('refused'), 0);
});

await t.test('a second run fetches nothing, and encodes nothing', async (t) => {
  const before = await recordings(0, 'ENCODED');
  t.match(await lab.runWhole('g722'), { status: 'COMPLETED', callTiming: { successCount: CALLS } });
  t.equal(await chunkCount('sent'), fetched);
  t.equal((await recordings(0, 'ENCODED')) - before, 1);
});

await t.test('an agent that is killed, and what it kept damaged: fetched again', async (t) => {
  await lab.agents[0]!.stop('SIGKILL');
  const dir = path.join(lab.dir, 'agent-1', 'media');
  for (const name of await readdir(dir)) {
    const file = path.join(dir, name);
    const bytes = await readFile(file);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(file, bytes);
  }
  await lab.startAgent(0);
  await lab.online(AGENTS);
  t.match(await lab.runWhole('pcmu'), { status: 'COMPLETED', callTiming: { successCount: CALLS } });
  t.equal(await chunkCount('sent'), fetched + chunks(TONE), 'only by that agent');
  t.same([await recordings(0, 'FETCHED'), await recordings(0, 'ENCODED')], [1, 0]);
});

await t.test('an agent that does not play the recording is refused', async (t) => {
  const link = (await openRawLink(lab.controlPlane.url)) as RawLink;
  link.ws.send(await greeting(link, STRANGER));
  const run = await lab.startRun('steps');
  for (const file of [TONE, STEPS])
    link.ws.send(encodeAgentFrame({ mediaRequest: { sha256: sha256(file), offset: 0 } }));
  const refused: string[] = [];
  while (refused.length < 2) {
    const frame = await link.next();
    if (frame === null) break;
    if (frame.mediaChunk) refused.push(frame.mediaChunk.refused ?? '');
    t.notOk(frame.mediaChunk?.data?.length);
  }
  t.same(refused, Array(2).fill('no open allocation of this agent plays such a recording, or it was deleted'));
  t.equal(await chunkCount('refused'), 2);
  link.ws.close();
  await lab.ended(run);
});

await t.test('a recording that is gone', async (t) => {
  await t.rejects(lab.call('deleteMediaFile', { projectId, mediaFileId: steps.id }), { message: /^409 / });
  await lab.query('delete from media_files where id = $1', [steps.id]);
  const run = await lab.runToEnd('steps');
  t.match(run, {
    status: 'CANNOT_RUN_FOR_NOW',
    error: { code: 'MEDIA_MISSING', message: /media file of group .* no longer exists/ },
  });
});
