/**
 * Calls with audio and video between two agents. tshark reads the packets, ffmpeg decodes their frames; lost packets are
 * requested again, and both ends count the requests that were on the wire. Then calls to independent phones: GStreamer over AVP
 * and AVPF, and a soft phone with AVP only; our figures equal their counts.
 */
import { readFileSync } from 'node:fs';
import { emptyRtpPacket, parseRtp } from '@carillon/media/rtp/header.ts';
import { depacketize, type VideoPacket } from '@carillon/media/testing/depacketize.ts';
import { parseVideo } from '@carillon/media/video/video-file.ts';
import t from 'tap';
import { openLab, type RunDetail } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo, type MediaInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { decode, encodeHigh } from '../../peers/referees/ffmpeg.ts';
import { type Selected, startCapture } from '../../peers/referees/tshark.ts';
import { startBaresip } from '../../peers/sip/baresip.ts';
import { startVideoPhone, type VideoPhone } from '../../peers/sip/video-phone.ts';

const CALLS = 2;
const SECONDS = 6;
/** Units of the 90 kHz clock from a frame of the pattern to the next. */
const FRAME_UNITS = 6000;

const patternFile = (name: string): string =>
  new URL(import.meta.resolve(`@carillon/media/video/pattern/${name}`)).pathname;

type Flow = { readonly media: MediaInput; readonly lossPercent?: number };

const flow = (codec: 'VP8' | 'H264', { lossPercent, ...media }: MediaInput & { lossPercent?: number } = {}): Flow => ({
  media: {
    mediaTracks: [
      { kind: 'AUDIO', source: 'TONE' },
      { kind: 'VIDEO', source: 'PATTERN' },
    ],
    videoCodecs: [codec],
    ...media,
  },
  ...(lossPercent !== undefined && { lossPercent }),
});

/** By the slug of their test. Loss occurs on the path to the callees. */
const FLOWS: Readonly<Record<string, Flow>> = {
  vp8: flow('VP8'),
  file: flow('VP8'),
  h264: flow('H264'),
  'h264-file': flow('H264'),
  sdes: flow('H264', { encryption: 'SDES' }),
  lossy: flow('VP8', { lossPercent: 3 }),
  poor: flow('H264', { lossPercent: 30 }),
};

/** Independent phones: the loss in their video, one gap each way. */
const PHONE_SECONDS = 8;
const HOLES = { toFarEnd: { fromMs: 2000, untilMs: 3000 }, fromFarEnd: { fromMs: 3500, untilMs: 4000 } };
const PROFILES = ['AVP', 'AVPF'] as const;

const net = ownLoopback();
const phones = new Map<string, VideoPhone>();
for (const [i, profile] of PROFILES.entries())
  phones.set(profile.toLowerCase(), await startVideoPhone(net.address(150 + i), HOLES));
t.teardown(() => Promise.all([...phones.values()].map((phone) => phone.close())));
const softPhone = await startBaresip({ video: true });
t.teardown(() => softPhone.stop());
const phoneMedia = (feedbackProfile: 'AVP' | 'AVPF'): MediaInput => ({ ...flow('VP8').media, feedbackProfile });
const lab = await openLab(t, {
  net,
  agents: 2,
  provision: () => ({
    tests: [
      ...Object.entries(FLOWS).map(([slug, { media, lossPercent }]) =>
        callsAmongAgents(
          slug,
          { endpoints: CALLS, durationSeconds: SECONDS, media },
          lossPercent === undefined ? {} : { media: { ...media, impairment: { lossPercent } } },
        ),
      ),
      ...PROFILES.map((profile) => {
        const slug = profile.toLowerCase();
        const shape = { endpoints: 1, durationSeconds: PHONE_SECONDS, media: phoneMedia(profile) };
        return callsTo(phones.get(slug)!.uri, slug, shape);
      }),
      callsTo(softPhone.uri, 'soft-phone', { endpoints: 1, durationSeconds: SECONDS, media: phoneMedia('AVPF') }),
    ],
  }),
});
/** The pattern's first frames: a player repeats them after this many. */
const FILE_FRAMES = 12;
/** By the slug of the test that plays it. */
const FILES: Readonly<Record<string, Buffer>> = {
  file: firstFrames(readFileSync(patternFile('pattern.ivf')), FILE_FRAMES),
  'h264-file': await encodeHigh(FILE_FRAMES, '4.0'),
};
for (const [slug, file] of Object.entries(FILES)) await playFile(slug, file);
const capture = await startCapture(net.network, () => lab.agents.map((agent) => agent.sipPort));
const runs = new Map<string, RunDetail>();

type Row = {
  endpoint: number;
  type: 'CALLER' | 'CALLEE';
  stream: number;
  codec: string;
  remote: string;
  ssrc: number;
  ssrcSent: number;
  sent: number;
  received: number;
  expected: number;
  lost: number;
  mos: number | null;
  discarded: number | null;
  plcEvents: number | null;
  plcMs: number | null;
  burstRatio: number | null;
  nacks: number;
  plis: number;
  firs: number;
};

const rowsOf = (slug: string): Promise<Row[]> =>
  lab.query<Row>(
    `select s.endpoint_number as endpoint, e.endpoint_type as type, stream, codec, remote, ssrc_received as ssrc,
       ssrc_sent as "ssrcSent", packets_sent as sent, packets_received as received, expected, lost, mos,
       discarded, plc_events as "plcEvents", plc_ms as "plcMs", burst_ratio as "burstRatio",
       nack_count as nacks, pli_count as plis, fir_count as firs
     from streams s join endpoints e on e.run_id = s.run_id and e.number = s.endpoint_number
     where s.run_id = $1 order by 1, stream`,
    [runs.get(slug)?.id],
  );
const sum = <T>(list: readonly T[], pick: (one: T) => number): number => list.reduce((n, one) => n + pick(one), 0);

/** The figures of video that callees received, from the run's last attempt. */
const heardVideo = async (slug: string): Promise<Row[]> =>
  (await rowsOf(slug)).filter(({ stream, type }) => stream === 1 && type === 'CALLEE');
/**
 * A packet is requested twice, some 30 ms apart: a caller without processor time for longer answers neither, and the
 * packet stays lost.
 */
async function mostWereRecovered(run: RunDetail, slug: string, lossPercent: number): Promise<boolean> {
  runs.set(slug, run);
  const callees = await heardVideo(slug);
  return sum(callees, ({ lost }) => lost) < sum(callees, ({ expected }) => expected) * (lossPercent / 100) * 0.6;
}
await Promise.all(
  Object.entries(FLOWS).map(async ([slug, { lossPercent }]) => {
    const isWhole = ({ starts }: RunDetail): boolean => starts.dropped === 0;
    const isGood = async (run: RunDetail): Promise<boolean> =>
      isWhole(run) && (lossPercent === undefined || (await mostWereRecovered(run, slug, lossPercent)));
    runs.set(slug, await lab.runUntil(slug, isGood));
  }),
);
/** Runs that the phone of this slug was called in. */
const attempts = new Map<string, number>();
/** A phone without processor time asks for no keyframe. */
function wantsKeyframe(slug: string): boolean {
  attempts.set(slug, (attempts.get(slug) ?? 0) + 1);
  return slug !== 'avpf' || phones.get(slug)!.calls.at(-1)!.video.toFarEnd.plis > 0;
}
await Promise.all([
  ...[...phones.keys()].map(async (slug) => runs.set(slug, await lab.runUntil(slug, () => wantsKeyframe(slug)))),
  lab.runToEnd('soft-phone').then((run) => runs.set('soft-phone', run)),
]);
const recording = await capture.stop();
t.teardown(() => recording.remove());

/** An IVF file with only this many frames. */
function firstFrames(file: Buffer, count: number): Buffer {
  let at = file.readUInt16LE(6);
  for (let n = 0; n < count; n++) at += 12 + file.readUInt32LE(at);
  return file.subarray(0, at);
}

/** Uploads it, and sets it as the source of all groups' video tracks. */
async function playFile(slug: string, file: Buffer): Promise<void> {
  const { projectId } = lab;
  const { id } = await lab.call('createMediaFile', { projectId, name: slug, content: file.toString('base64') });
  const testId = lab.testId(slug);
  const { groups } = await lab.call('getTest', { projectId, testId });
  const playing = groups.map((group) => ({
    ...group,
    mediaTracks: group.mediaTracks.map((track) =>
      track.kind === 'VIDEO' ? { ...track, source: 'FILE', mediaFileId: id } : track,
    ),
  }));
  await lab.call('updateTest', { projectId, testId, groups: playing } as never);
}

const onWire = await recording.select('rtp', [
  'rtp.ssrc',
  'rtp.seq',
  'rtp.marker',
  'rtp.p_type',
  'rtp.timestamp',
  '_ws.col.Protocol',
  'udp.payload',
]);
// Except that of the soft phone, which has a different address.
const complaints = await recording.select(`_ws.malformed && (vp8 || h264) && ip.src == ${net.network}`, [
  '_ws.expert.message',
]);
const feedback = await recording.select('rtcp.rtpfb.fmt || rtcp.psfb.fmt', [
  'rtcp.rtpfb.fmt',
  'rtcp.psfb.fmt',
  'rtcp.mediassrc',
]);
const described = await recording.select('sdp.media contains "video"', [
  'sip.Method',
  'sip.Status-Code',
  'sdp.fmtp.parameter',
  'sip.Call-ID',
]);
const packetsOf = (ssrc: number): Selected[] => onWire.filter(({ values }) => Number(values[0]) === ssrc);

/** RTCP packets of a kind that sends a request to a source (RFC 4585, 6.1: format 1 of either type). */
const feedbackCount = (kind: 'NACK' | 'PLI', ssrc: number, untilMs = Number.POSITIVE_INFINITY): number =>
  feedback.filter(({ atMs, values: [transport, payload, media] }) => {
    const format = kind === 'NACK' ? transport : payload;
    return atMs <= untilMs && format === '1' && media!.split(',').some((text) => Number(text) === ssrc);
  }).length;

function videoPacket({ values }: Selected): VideoPacket {
  const bytes = Buffer.from(values[6]!, 'hex');
  const packet = emptyRtpPacket();
  parseRtp(bytes, 0, bytes.length, packet);
  const payload = bytes.subarray(packet.payloadOffset, packet.payloadOffset + packet.payloadBytes);
  return { sequence: packet.sequence, timestamp: packet.timestamp, marker: packet.marker, payload };
}

for (const [slug, { media, lossPercent }] of Object.entries(FLOWS))
  t.test(`${slug}: streams and their figures`, async (t) => {
    const { summary, callTiming, id, status, error } = runs.get(slug) as RunDetail;
    t.match({ status, error }, { status: 'COMPLETED', error: null }, `the run is complete: ${error?.message ?? ''}`);
    t.match(callTiming, { totalCalls: CALLS, successCount: CALLS });
    const rows = await rowsOf(slug);
    const video = rows.filter(({ stream }) => stream === 1);
    const audio = rows.filter(({ stream }) => stream === 0);
    t.same([audio.length, video.length], [2 * CALLS, 2 * CALLS], 'audio and video at each end of each call');
    for (const row of video) {
      t.match(row, { codec: media.videoCodecs?.[0], mos: null, burstRatio: null });
      t.match(row, { discarded: null, plcEvents: null, plcMs: null }, 'no playout is emulated');
      t.ok(row.received > SECONDS * 5, `${row.received} packets of video received`);
      if (lossPercent === undefined || row.type === 'CALLER') t.equal(row.lost, 0);
    }
    for (const row of audio) {
      t.match(row, { codec: 'PCMU', nacks: 0, plis: 0, firs: 0 });
      t.ok(row.discarded !== null && row.plcEvents !== null && row.plcMs !== null && row.burstRatio !== null);
      if (lossPercent === undefined) t.ok(row.lost === 0 && row.mos !== null, `${row.lost} lost, MOS ${row.mos}`);
    }
    t.match(summary, { totalStreams: 4 * CALLS, measured: { mos: 2 * CALLS, rFactor: 2 * CALLS } });
    const counts = {
      totalNackCount: sum(rows, ({ nacks }) => nacks),
      totalPliCount: sum(rows, ({ plis }) => plis),
      totalFirCount: sum(rows, ({ firs }) => firs),
    };
    t.match(summary, counts, 'the summary counts what the streams counted');
    const { rows: list } = await lab.call('listTestRunEndpoints', { projectId: lab.projectId, testRunId: id });
    const one = await lab.call('getTestRunEndpoint', {
      projectId: lab.projectId,
      testRunId: id,
      endpointId: list[0]!.id,
    });
    const told = one.streams.map((s) => [s.stream, s.codec, s.nackCount, s.pliCount, s.receive.mos === null]);
    const kept = rows.filter(({ endpoint }) => endpoint === one.number);
    t.same(
      told,
      kept.map((row) => [row.stream, row.codec, row.nacks, row.plis, row.mos === null]),
      'REST says the same',
    );
  });

const textOf = (units: readonly Uint8Array[]): string => Buffer.concat(units).toString('base64');

for (const slug of ['vp8', 'h264', 'file', 'h264-file'])
  t.test(`${slug}: what a stranger reads`, async (t) => {
    t.same(complaints, [], 'tshark finds nothing malformed');
    const [codec] = FLOWS[slug]!.media.videoCodecs as ['H264' | 'VP8'];
    const file = FILES[slug];
    const uploaded = file && new Set(parseVideo(file).frames.map(({ units }) => textOf(units)));
    const seen = new Set<string>();
    for (const row of (await rowsOf(slug)).filter(({ stream }) => stream === 1)) {
      const packets = packetsOf(row.ssrc);
      const field = (i: number): number[] => packets.map(({ values }) => Number(values[i]));
      const [, sequences, markers, payloadTypes, timestamps] = [0, 1, 2, 3, 4].map(field) as [
        number[],
        ...Array<number[]>,
      ];
      t.ok(packets.length >= row.received, `${row.received} of ${packets.length} packets were counted`);
      t.same(
        [...new Set(packets.map(({ values }) => values[5]))],
        [codec === 'H264' ? 'H.264' : codec],
        'tshark takes it for what it is',
      );
      t.equal(new Set(payloadTypes).size, 1);
      t.ok(
        sequences!.every((n, i) => i === 0 || n === ((sequences![i - 1]! + 1) & 0xffff)),
        'sequence numbers',
      );
      const ends = timestamps!.map((at, i) => i < timestamps!.length - 1 && at !== timestamps![i + 1]);
      t.ok(
        ends.every((isEnd, i) => i === ends.length - 1 || isEnd === (markers![i] === 1)),
        'a marker ends each frame',
      );
      const { frames, broken } = depacketize(codec, packets.map(videoPacket));
      // The call ended within the last one.
      t.ok(broken === 0 || (broken === 1 && markers!.at(-1) === 0), `${broken} frames are broken`);
      t.ok(frames.every((f, i) => i === 0 || ((f.timestamp - frames[i - 1]!.timestamp) >>> 0) % FRAME_UNITS === 0));
      t.ok(frames[0]!.isKeyframe);
      if (uploaded) {
        const shown = frames.map(({ units }) => textOf(units));
        t.ok(
          shown.every((frame) => uploaded.has(frame)),
          'only what was uploaded is seen',
        );
        for (const frame of shown) seen.add(frame);
      }
      t.same(await decode(codec, frames), { frames: frames.length, complaints: '' }, `${frames.length} frames decoded`);
    }
    // Each stream jumps over some: at a requested keyframe, or if its agent has no processor time.
    if (uploaded) t.same(seen, uploaded, 'the streams together show all of it');
  });

t.test('an H.264 file is offered and answered as what its parameter set says (RFC 6184, 8.2.2)', async (t) => {
  const { profileLevelId } = parseVideo(FILES['h264-file']!);
  t.equal(profileLevelId, '640028');
  const callIds = new Set((await lab.calls(runs.get('h264-file')!.id)).map(({ callId }) => callId));
  const fileCalls = described.filter(
    ({ values }) => callIds.has(values[3]!) && values[2]!.includes(`profile-level-id=${profileLevelId}`),
  );
  // On a busy machine a message is retransmitted: it is counted once.
  const told = new Set(fileCalls.map(({ values }) => `${values[0] || values[1]} ${values[3]}`));
  t.same([...told].map((message) => message.split(' ')[0]).sort(), [
    ...Array(CALLS).fill('200'),
    ...Array(CALLS).fill('INVITE'),
  ]);
  for (const { values } of fileCalls) t.match(values[2], 'level-asymmetry-allowed=1');
});

for (const [slug, { lossPercent }] of Object.entries(FLOWS)) {
  if (lossPercent === undefined) continue;
  t.test(`${slug}: what is lost is asked for`, async (t) => {
    const video = (await rowsOf(slug)).filter(({ stream }) => stream === 1);
    let again = 0;
    for (const callee of await heardVideo(slug)) {
      const caller = video.find(({ ssrcSent }) => ssrcSent === callee.ssrc)!;
      for (const [kind, heard, told] of [
        ['NACK', caller.nacks, callee.nacks],
        ['PLI', caller.plis, callee.plis],
      ] as const) {
        const [ours, theirs] = [feedbackCount(kind, callee.ssrc), feedbackCount(kind, callee.ssrcSent)];
        const counts = `${kind}: ${ours} to the caller, who counts ${heard}, ${theirs} to the callee, who counts ${told}`;
        // The caller may request its first keyframe; packets to the callee may be lost.
        t.ok(told >= ours && told <= ours + theirs, counts);
        // Those after the caller's end count nowhere; a caller that stalls before its BYE has some more of them.
        const lastSentMs = packetsOf(callee.ssrc).at(-1)!.atMs;
        const inTime = [callee.ssrc, callee.ssrcSent].map((ssrc) => feedbackCount(kind, ssrc, lastSentMs));
        t.ok(heard <= ours + theirs && heard >= sum(inTime, (count) => count) - 2, counts);
      }
      const sequences = packetsOf(callee.ssrc).map(({ values }) => values[1]);
      again += sequences.length - new Set(sequences).size;
      t.equal(new Set(sequences).size, caller.sent, 'what was sent again is no packet more');
    }
    const callees = await heardVideo(slug);
    const [lost, expected] = [sum(callees, (row) => row.lost), sum(callees, (row) => row.expected)];
    t.comment(`${expected} packets, ${again} sent again, ${lost} lost in the end; ${sum(callees, (r) => r.plis)} PLIs`);
    t.ok(again > 0);
    t.ok(lost / expected < (lossPercent / 100) * 0.6, 'most of what was lost came after all');
    if (lossPercent > 10) t.ok(sum(callees, (row) => row.plis) > 0, 'keyframes were asked for');
  });
}

/** The one endpoint of a run, as REST shows it. */
async function endpointOf(slug: string) {
  const { projectId } = lab;
  const testRunId = runs.get(slug)!.id;
  const { rows } = await lab.call('listTestRunEndpoints', { projectId, testRunId });
  return lab.call('getTestRunEndpoint', { projectId, testRunId, endpointId: rows[0]!.id });
}

/** Packets of a second: those in transit when a call ends. */
const UNDER_WAY = 30;
const near = (ours: number, theirs: number): boolean => ours <= theirs && ours >= theirs - UNDER_WAY;

for (const profile of PROFILES)
  t.test(`a phone of others over ${profile}: our figures are what it counted`, async (t) => {
    const slug = profile.toLowerCase();
    t.match(runs.get(slug), { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
    const { calls } = phones.get(slug)!;
    const call = calls.at(-1);
    t.same([call?.profile, calls.length], [`RTP/${profile}`, attempts.get(slug)], 'taken at once');
    const { toFarEnd, fromFarEnd } = call!.video;
    const { encoded, received, shown } = call!.media;
    const { send, receive, video } = (await endpointOf(slug)).streams.find(({ codec }) => codec === 'VP8')!;

    t.equal(receive.lost, toFarEnd.dropped, `${toFarEnd.dropped} packets lost on their way to us`);
    t.ok(near(receive.packets, toFarEnd.packets), `${receive.packets} of ${toFarEnd.packets} packets received`);
    t.ok(near(video!.framesReceived, toFarEnd.frames), `${video!.framesReceived} of ${toFarEnd.frames} frames`);
    t.equal(video!.keyframesReceived, toFarEnd.sent.filter(({ isKey }) => isKey).length);
    t.equal(send.packets, fromFarEnd.packets + fromFarEnd.dropped, `${send.packets} packets sent`);
    t.ok(
      [0, 1].includes(video!.framesSent - fromFarEnd.frames - fromFarEnd.droppedFrames),
      'the last may be half sent',
    );
    // On a busy host GStreamer marks a frame after a gap of its own like a keyframe: it counted one more in some runs.
    t.ok(
      received.keyframes > 0 && received.keyframes <= video!.keyframesSent + 1,
      `${received.keyframes} of ${video!.keyframesSent} keyframes`,
    );
    t.ok(shown.frames > 0, `it shows ${shown.frames} of our frames`);
    t.ok(received.frames > fromFarEnd.frames / 2 && received.frames <= video!.framesSent, `${received.frames} frames`);

    t.equal(video!.plisSent, fromFarEnd.plis);
    t.ok([0, 1].includes(toFarEnd.plis - video!.plisReceived), `${toFarEnd.plis} PLIs to us`);
    if (profile === 'AVPF') t.ok(toFarEnd.plis > 0, 'it need not wait for its next report (RFC 4585, 3.5)');
    t.ok(encoded.keyframes > 1 && encoded.keyframes <= 1 + video!.plisSent + 1, 'it makes one when it is asked');
    t.same([video!.nacksSent, video!.nacksReceived, fromFarEnd.nacks, toFarEnd.nacks], [0, 0, 0, 0], 'none agreed on');

    // Frozen from the last frame before the gap to the first keyframe after it, by the relay's clock.
    const { sent } = toFarEnd;
    const hole = sent.findIndex(({ afterHole }) => afterHole);
    const key = sent.findIndex(({ isKey }, i) => i >= hole && isKey);
    const [last, first] = [
      sent.findLast(({ marker }, i) => i < hole && marker),
      sent.find(({ marker }, i) => i >= key && marker),
    ];
    const frozenMs = first!.beforeMs - last!.afterMs;
    t.ok(hole > 0 && key > 0 && frozenMs > 900);
    t.ok(
      video!.freezes > 0 && video!.freezeMs! > frozenMs - 1,
      `${video!.freezes} freezes, ${video!.freezeMs} ms; ${frozenMs}`,
    );
  });

t.test('a soft phone that refuses AVPF is offered AVP, and has both streams', async (t) => {
  t.match(runs.get('soft-phone'), { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
  // From its last reports.
  const counted = await until('it says what it counted', () => {
    const all = [...softPhone.output().matchAll(/^EX=BareSip;.*PR=(\d+);PS=(\d+);PL=(\d+),(\d+)/gm)];
    return all.length >= 2 && all.map(([, ...figures]) => figures.map(Number));
  });
  const offers = [...softPhone.output().matchAll(/^m=video \d+ (\S+)/gm)].map(([, profile]) => profile);
  // A phone that is held up gets an offer again, and repeats its answer.
  t.match(offers.join(' '), /^(?:RTP\/AVPF )+RTP\/AVP(?: RTP\/AVP)+$/, 'two offers and an answer');
  const { streams } = await endpointOf('soft-phone');
  for (const [i, { send, receive, codec }] of streams.entries()) {
    const [heard = 0, told = 0, ...lost] = counted[i]!;
    t.same([...lost, receive.lost], [0, 0, 0], codec ?? '');
    t.ok(heard > 0 && heard <= send.packets, `${heard} of ${send.packets} packets`);
    t.ok(told > 0 && receive.packets > 0, `${receive.packets} packets received`);
  }
  const video = streams.find(({ codec }) => codec === 'VP8')?.video;
  t.ok(video!.framesReceived > 0 && video!.keyframesReceived > 0);
});
