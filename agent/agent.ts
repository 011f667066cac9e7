/**
 * The agent, put together: the only place that knows all of its rooms. Facts flow from the threads into the book, from the
 * book in batches into the outbox, from the outbox over the link; orders flow the other way.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Closers } from '@carillon/proto/closers.ts';
import { greeting } from './assembly/greeting.ts';
import { obey } from './assembly/orders.ts';
import { startSignalling } from './assembly/signalling.ts';
import { capacityOf, hardware, withAdapter } from './calibrate/calibration.ts';
import { HepExporter } from './capture/hep-exporter.ts';
import { nowMs } from './clock.ts';
import type { Config } from './config.ts';
import { openHealth } from './health.ts';
import { openIdentity } from './link/identity.ts';
import { KeyChange } from './link/key-change.ts';
import { Link, uuidBytes, uuidText } from './link/link.ts';
import { openOutbox } from './link/outbox.ts';
import { Recordings } from './link/recordings.ts';
import { createLog } from './log.ts';
import { createAgentMetrics } from './metrics/metrics.ts';
import { openFilesLimit, streamsWithin } from './net/streams/open-files.ts';
import { EncodingThread } from './playback/encoding-thread-host.ts';
import { MediaCache } from './playback/media-cache.ts';
import { MediaShelf } from './playback/media-shelf.ts';
import { createOpusDecoder } from './playback/opus.ts';
import { policyDigest } from './policy/digest.ts';
import { reachPredicate } from './policy/judge.ts';
import { listenFault } from './policy/listening.ts';
import { MinutesBook } from './policy/minutes.ts';
import { StandingPolicy } from './policy/standing.ts';
import { rowsFor, STREAMS_AN_ENDPOINT } from './process/rows.ts';
import { abilitiesOf } from './rtp/abilities.ts';
import { NoiseMeter } from './rtp/figures/noise-meter.ts';
import type { StreamSamples } from './rtp/figures/sampler.ts';
import type { StreamRecord } from './rtp/figures/stream-record.ts';
import { startMediaThreads } from './rtp/threads/media-threads.ts';
import { Book } from './run/allocation/book.ts';
import { Isolation, type Patience } from './run/allocation/isolation.ts';
import { HostPace } from './run/limits/host-pace.ts';
import { encodeAllocation } from './run/report/encode-facts.ts';
import type { OutcomeFact, ShareFacts } from './run/report/facts.ts';
import { NoiseCollector } from './run/report/noise.ts';
import { abilitiesWith } from './sip/abilities.ts';
import { lockFolder, readEnrolment } from './state-folder.ts';
import { AGENT_VERSION } from './version.ts';

export type { Patience };

export type Agent = {
  /** Settles when the agent cannot go on: refused by the control plane, or a thread of it broke. */
  readonly broken: Promise<Error>;
  /** Settles with the first welcome of the control plane: the name of this worker there. */
  readonly welcomed: Promise<{ readonly name: string; readonly region: string }>;
  /** Makes a new key. Settles when the control plane has it, or, with the reason, will not. */
  changeKey(): Promise<string | null>;
  /** Why the control plane cannot be reached; '' where it can. */
  linkFault(): string;
  /** Ends calls and registrations, hands over what it knows, stops. */
  close(): Promise<void>;
};

const BATCH_MS = 200;
const NOISE_MS = 1000;
const MINUTES_MS = 2000;
const CLOSE_LIMIT_MS = 6000;

/** Rejects when something is not available: its folder, a port, the key, the policy, a media adapter that was requested. */
export const startAgent = (config: Config, patience?: Patience): Promise<Agent> =>
  Closers.around((closers) => compose(config, closers, patience));

async function compose(config: Config, closers: Closers, patience?: Patience): Promise<Agent> {
  const enrolment = await readEnrolment(config.stateDir);
  const url = config.url || enrolment?.url;
  if (!url)
    throw new Error(
      'This agent does not know its control plane: `carillon-agent enroll` tells it, or CARILLON_URL does.',
    );
  const ca = config.caFile === null ? (enrolment?.ca ?? null) : await readFile(config.caFile, 'utf8');
  const lock = await lockFolder(config.stateDir);
  closers.push(() => lock.release());
  const log = createLog(config.logLevel);
  const welcomed = Promise.withResolvers<{ name: string; region: string }>();
  const standing = await StandingPolicy.open(config.policyFile);
  const unlistened = listenFault(config, standing.policy);
  if (unlistened !== null) throw new Error(unlistened);
  const minutes = await MinutesBook.open(config.stateDir, Date.now(), log);
  minutes.minutes.limit(standing.policy.maxMinutesADay);
  const made = await capacityOf(config, { ...config, build: AGENT_VERSION, hardware: hardware() });
  const identity = await openIdentity(config.stateDir);
  const outbox = await openOutbox(config.stateDir, (damage) => log.error(damage, 'facts on disk are damaged'));
  closers.push(() => outbox.save(config.stateDir));
  const bootId = randomUUID();
  const breaks = Promise.withResolvers<Error>();
  const media = await startMediaThreads(config.mediaThreads, {
    adapter: config.io,
    capacity: rowsFor(made.endpoints),
    firstPort: config.rtpPorts.from,
    lastPort: config.rtpPorts.to,
    realtime: config.realtime,
  });
  closers.push(() => media.close());
  const found = withAdapter(made, config.capacity, media.adapter);
  if (found.unused) log.warn({ reason: found.unused }, 'the calibration is not in force');
  if (media.fallbackReason)
    log.warn({ reason: media.fallbackReason }, 'RTP goes through node:dgram: fewer streams, more noise');
  if (media.realtimeFault) log.warn({ reason: media.realtimeFault }, 'RTP runs without real-time priority');
  const meters = media.memories.map((memory) => new NoiseMeter(memory));
  if (media.srtpFallbackReason)
    log.warn({ reason: media.srtpFallbackReason }, 'SRTP goes through node:crypto: fewer streams, and no DTLS');
  const noise = new NoiseCollector(nowMs());
  const strays = { malformed: 0, refusedByPolicy: 0 };

  const threads = await startSignalling(
    config,
    { policy: standing.policy, minutesMemory: minutes.minutes.memory, media },
    {
      onFacts: (listener, facts) => book.onFacts(listener, facts),
      onNoise: (one) => {
        noise.add(one);
        strays.malformed += one.malformed;
        strays.refusedByPolicy += one.refusedByPolicy;
      },
    },
    log,
    (thread) => closers.push(() => thread.close()),
  );
  for (const [what, ended] of [
    ['media', media.ended],
    ...threads.map((t) => ['signalling', t.ended] as const),
  ] as const)
    void ended.then((error) => breaks.resolve(error ?? new Error(`the ${what} thread ended`)));
  const sip = threads[0]?.ready;
  const metrics = createAgentMetrics({
    sip: sip?.adapter ?? '',
    rtp: media.adapter,
    srtp: media.srtpCiphers,
    priority: media.priority,
  });
  metrics.watch({
    endpoints: () => book.endpoints,
    linkState: () => link.state,
    outboxDepth: () => outbox.depth,
    linkOfflineMs: () => link.offlineMs(nowMs()),
    outboxBytes: () => outbox.bytes,
    outboxDropped: () => ({ full: outbox.counters.thinned, refused: outbox.counters.refused }),
    strays: () => strays,
    hep: () => hep?.counters ?? { sent: 0, dropped: 0 },
    policy: () => ({ fault: standing.fault, ...standing.readings, minutesToday: minutes.minutes.spentMs / 60_000 }),
  });
  let reaches = reachPredicate(standing.policy);
  const mayReach = (address: string): boolean => reaches(address);
  const hep =
    config.hep &&
    new HepExporter(
      { ...config.hep, node: hostname() },
      {
        mayReach,
        mayExport: () => standing.policy.mayExport.hep,
        onFault: (reason) =>
          log.warn({ reason }, 'the HEP collector cannot be reached: SIP messages for it are dropped'),
        onRefusedStep: (state, event) => log.debug({ state, event }, 'the HEP exporter refuses a step'),
      },
    );
  closers.push(() => hep?.close());
  const files = openFilesLimit();
  const streamCapacity = Math.min(found.endpoints * STREAMS_AN_ENDPOINT, streamsWithin(files));
  const hostCapacity = Math.min(found.endpoints, streamCapacity);
  const capacity = (): number => Math.min(hostCapacity, standing.policy.maxEndpoints);
  if (hostCapacity < found.endpoints)
    log.warn(
      { openFiles: files, wanted: found.endpoints, capacity: hostCapacity },
      'too few open files are allowed for the capacity: raise ulimit -n',
    );
  const abilities = abilitiesOf(media);
  const limits = () => ({
    policy: standing.policy,
    minutes: minutes.minutes,
    mayReach,
    room: capacity() - book.endpoints,
    streamRoom: streamCapacity - book.streams,
    abilities,
  });
  const recordings = new Recordings((frame) => link.send(frame));
  closers.push(() => recordings.close());
  const encoding = new EncodingThread();
  closers.push(() => encoding.close());
  const cache = new MediaCache(path.join(config.stateDir, 'media'));
  await cache.open();
  const shelf = new MediaShelf({
    cache,
    log,
    fetch: (checksum) => recordings.fetch(checksum),
    encode: (source, codec) => encoding.encode(source, codec),
    packetize: (file) => encoding.packetize(file),
    load: (loaded) => media.load(loaded),
    unload: (source) => media.unload(source),
    onRecording: (origin) => metrics.onRecording(origin),
  });
  const events = {
    onOutcome: (o: OutcomeFact) => metrics.onOutcome(o),
    onSip: (f: ShareFacts, runId: string) => {
      metrics.onSip(f);
      for (const block of f.messages) hep?.send(block, runId.replaceAll('-', ''), link.clock.offsetMs);
    },
    onSamples: (samples: StreamSamples) => metrics.onSamples(samples),
    onStream: (r: StreamRecord) => {
      metrics.onStream(r);
      if (r.unplayable)
        log.error(
          { endpoint: r.endpointNumber, codec: r.codec },
          'a stream sent nothing: what it plays is not here in that format',
        );
    },
  };
  const book = new Book(threads, media.memories, limits, log, events, shelf, createOpusDecoder);
  const keyChange = new KeyChange();
  closers.push(() => keyChange.close());
  const link = new Link({
    url,
    ca,
    identity,
    outbox,
    log,
    hello: () =>
      greeting({
        joinToken: config.joinToken,
        bootId,
        allocationIds: [...book.held.map(uuidBytes), ...outbox.endedBefore],
        threads,
        media,
        abilities,
        sipAbilities: abilitiesWith(config.drachtio === null ? 'core' : 'drachtio'),
        capacity: capacity(),
        streamCapacity,
        policy: policyDigest(standing.policy, hostCapacity),
        found,
      }),
    onWelcome: (welcome) => {
      welcomed.resolve({ name: welcome.name, region: welcome.region });
      book.committed(Number(welcome.nextBatch) - 1);
      book.forget(welcome.stopAllocationIds.map(uuidText), 'the control plane no longer wants this allocation');
      book.hold(false);
      recordings.onWelcome();
    },
    onMediaChunk: (chunk) => recordings.onChunk(chunk),
    onCommand: (command) => obey(command, book, link),
    onCommitted: (number) => book.committed(number),
    onKey: (refused) => keyChange.answer(refused),
    onRefused: (code, message) =>
      breaks.resolve(new Error(`The control plane refuses this agent (${code}): ${message}`)),
  });
  closers.push(() => link.close());

  const unsaved = (error: Error) => log.error({ error: error.message }, 'facts could not be written to disk');
  const isolation = new Isolation(book, () => void outbox.save(config.stateDir).catch(unsaved), patience);

  standing.watch({
    onPolicy: (policy) => {
      log.info({ file: standing.file }, 'the policy was read again, and holds from now on');
      const refused = listenFault(config, policy);
      if (refused !== null) {
        breaks.resolve(new Error(`${refused}: the policy was changed`));
        return;
      }
      reaches = reachPredicate(policy);
      minutes.minutes.limit(policy.maxMinutesADay);
      const pace = new HostPace(policy.maxCallsPerSecond).memory;
      for (const thread of threads) thread.tell({ op: 'policy', policy, paceMemory: pace });
      book.shrink(capacity(), `the policy of this host was changed, and allows ${policy.maxEndpoints} endpoints`);
      link.tellPolicy();
    },
    onFault: (fault) => log.error({ error: fault }, 'the policy cannot be read; the one before holds'),
  });
  closers.push(() => standing.close());

  let noiseDueMs = nowMs() + NOISE_MS;
  let [minutesDueMs, sampleDueMs] = [0, 0];
  const saveMinutes = (): Promise<void> =>
    minutes.save().catch((error: Error) => log.error({ error: error.message }, 'the minutes of today cannot be kept'));
  const pump = (): void => {
    const now = nowMs();
    if (now >= sampleDueMs) {
      book.sample(now);
      sampleDueMs = now + Math.min(book.sampleIntervalMs, 1000);
    } else book.settle();
    const measured = now >= noiseDueMs;
    if (measured) noiseDueMs = now + NOISE_MS;
    const own = measured
      ? noise.take(
          now,
          link.clock.offsetMs,
          meters.map((meter) => meter.read()),
          media.stamps,
        )
      : null;
    if (own) metrics.onNoise(own);
    const told = own !== null && !book.isIdle;
    if (book.hasPending || told) {
      const offsetMs = link.clock.offsetMs;
      const allocations = book.take().map((p) => encodeAllocation(p, now, offsetMs, uuidBytes, link.takesBlocks));
      outbox.append({ allocations, noise: told ? [own] : [] });
      book.left(outbox.last);
    }
    isolation.watch(link.offlineMs(now));
    minutes.turn(Date.now());
    if (now >= minutesDueMs) {
      minutesDueMs = now + MINUTES_MS;
      saveMinutes();
    }
    link.pump();
  };
  const timer = setInterval(pump, BATCH_MS);
  closers.push(async () => {
    clearInterval(timer);
    await saveMinutes();
  });

  const health = await openHealth(
    config.metrics,
    metrics,
    () => link.state === 'ONLINE',
    () => ({
      version: AGENT_VERSION,
      publicKey: Buffer.from(identity.present.publicKey).toString('hex'),
      url,
      link: link.state,
      linkFault: link.lastFault || null,
      allocations: book.held.length,
      endpoints: book.endpoints,
      capacity: capacity(),
      policy: {
        file: standing.file,
        fault: standing.fault,
        minutesToday: minutes.minutes.spentMs / 60_000,
        maxMinutesADay: standing.policy.maxMinutesADay,
      },
      outboxBatches: outbox.depth,
      sip: { adapter: sip?.adapter ?? null, listeners: threads.map((t) => `${t.ready.address}:${t.ready.port}`) },
      rtp: { adapter: media.adapter, priority: media.priority, srtp: media.srtpCiphers },
    }),
  );
  closers.push(() => health.close());
  await lock.tell(health.url);
  log.info(
    {
      metrics: health.url,
      sip: threads.map((t) => t.ready),
      rtp: media.adapter,
      srtp: media.srtpCiphers,
      realtime: media.realtime,
      nice: media.nice,
    },
    'agent is up',
  );
  link.connect();

  return {
    broken: breaks.promise,
    welcomed: welcomed.promise,
    changeKey() {
      const answered = keyChange.answered();
      link.changeKey();
      return answered;
    },
    linkFault: () => link.lastFault,
    async close() {
      book.stopAll('the agent is stopping');
      const deadline = nowMs() + CLOSE_LIMIT_MS;
      while (nowMs() < deadline && (!book.isIdle || (outbox.depth > 0 && link.state === 'ONLINE'))) {
        pump();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await closers.close();
    },
  };
}
