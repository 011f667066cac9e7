/**
 * The assembled agent: the only place that knows all of its parts. They start in the order of the lines and close in
 * the reverse order. Facts flow from the threads into the book, from the book in batches into the outbox, and from the
 * outbox over the link; orders flow the other way.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Closers } from '@carillon/proto/base/closers.ts';
import { uuidBytes } from '@carillon/proto/base/uuid.ts';
import { openBook } from './assembly/book.ts';
import { capacityWithin } from './assembly/capacity.ts';
import { watchCopies } from './assembly/copies.ts';
import { greeting } from './assembly/greeting.ts';
import { openHep } from './assembly/hep.ts';
import { openHost, usedIn } from './assembly/host.ts';
import { CLOSE_LIMIT_MS, LAST_TURN_MS, leave } from './assembly/leave.ts';
import { linkEvents } from './assembly/link-events.ts';
import { openMedia } from './assembly/media.ts';
import { AgentNoise } from './assembly/noise.ts';
import { openPlayback } from './assembly/playback.ts';
import { obeyPolicy } from './assembly/policy-changes.ts';
import { Pump } from './assembly/pump.ts';
import { readingsOf } from './assembly/readings.ts';
import { startSignalling } from './assembly/signalling.ts';
import { statusOf } from './assembly/status.ts';
import { nowMs } from './clock.ts';
import type { Config } from './config.ts';
import { openHealth } from './health.ts';
import { KeyChange } from './link/key-change.ts';
import { Link } from './link/link.ts';
import { createAgentMetrics } from './metrics/metrics.ts';
import { openFilesLimit } from './net/streams/open-files.ts';
import { policyDigest } from './policy/digest.ts';
import { abilitiesOf } from './rtp/abilities.ts';
import type { MediaThreads } from './rtp/threads/media-threads.ts';
import { TURN_MS } from './run/allocation/book-turn.ts';
import { Isolation, type IsolationLimits } from './run/allocation/isolation.ts';
import type { SignallingThread } from './run/threads/signalling-host.ts';
import { abilitiesWith } from './sip/abilities.ts';

export type { IsolationLimits };

export type Agent = {
  /** Resolves when the agent cannot continue: the control plane refused it, one of its threads failed, or it was closed. */
  readonly broken: Promise<Error>;
  /**
   * Resolves when another agent has the key of this one, and this one has no calls: it may then join its pool again with a new
   * key. Rejects with the reason of `broken` if that comes first.
   */
  readonly copied: Promise<void>;
  /** Resolves with the first welcome of the control plane, which has the worker's name there. Rejects if none came before `close()`. */
  readonly welcomed: Promise<{ readonly name: string; readonly region: string }>;
  /** Creates a new key. Settles with null when the control plane has accepted it, or with the reason for the refusal. */
  changeKey(): Promise<string | null>;
  /** Why the control plane cannot be reached; '': it can be. */
  linkFault(): string;
  /** Ends calls and registrations, delivers the remaining facts, stops. */
  close(): Promise<void>;
  /**
   * Ends for good: takes no more runs, lets calls go on for `drainMs` at most, delivers its facts, and stops. False: the control
   * plane has not archived its worker, and may lack facts.
   */
  leave(drainMs: number): Promise<boolean>;
};

const TOO_FEW = 'too few open files or media ports for the capacity: raise ulimit -n, or widen CARILLON_RTP_PORTS';

/** Rejects when something is not available: its folder, a port, the key, the policy, or a media adapter that was requested. */
export const startAgent = (config: Config, patience?: IsolationLimits): Promise<Agent> =>
  Closers.around((closers) => compose(config, closers, patience));

async function compose(given: Config, closers: Closers, patience?: IsolationLimits): Promise<Agent> {
  const host = await openHost(given, closers);
  const { config, url, ca, log, currentPolicy, minutes, identity, outbox, storage } = host;
  const welcomed = Promise.withResolvers<{ name: string; region: string }>();
  const { promise: broken, resolve: breaks } = Promise.withResolvers<Error>();

  const { media, found } = await openMedia(config, log, closers);
  const noise = new AgentNoise(media, nowMs());
  const signalling = await startSignalling(
    config,
    { policy: currentPolicy.policy, minutesMemory: minutes.minutes.memory, media },
    (one, listener) => noise.add(one, listener, nowMs()),
    log,
    closers,
  );
  const { threads } = signalling;
  void threadEnded(media, threads).then(breaks);
  closers.push(() => {
    const stopping = new Error('the agent is stopping');
    welcomed.reject(stopping);
    breaks(stopping);
  });
  // An agent need not wait for its welcome.
  welcomed.promise.catch(() => undefined);

  const link = new Link({ url, ca, identity, outbox, log });
  const metrics = createAgentMetrics({
    sip: threads[0]?.ready.adapter ?? '',
    rtp: media.adapter,
    srtp: media.srtpCiphers,
    priority: media.priority,
  });
  const hep = openHep(config, host, closers);
  const files = openFilesLimit();
  const most = capacityWithin(found.endpoints, files, config.rtpPorts);
  const limits = { openFiles: files, rtpPorts: config.rtpPorts, wanted: found.endpoints, capacity: most.streams };
  if (most.streams < found.endpoints) log.warn(limits, TOO_FEW);
  const capacity = (): number => Math.min(most.endpoints, currentPolicy.policy.maxEndpoints);
  const abilities = abilitiesOf(media);
  const { recordings, library } = await openPlayback(config.stateDir, { log, link, media, metrics }, closers).catch(
    usedIn(config.stateDir),
  );
  const book = openBook(host, {
    media,
    signalling,
    library,
    link,
    metrics,
    hep,
    abilities,
    capacity,
    streamCapacity: most.streams,
  });
  metrics.watch(readingsOf(host, { book, link, noise, hep }));
  const copies = watchCopies(book, broken);
  const keyChange = new KeyChange();
  closers.push(() => keyChange.close());
  closers.push(() => link.close());

  const isolation = new Isolation(book, () => void storage.save(), patience);
  obeyPolicy(config, host, { threads, book, link, capacity, breaks });
  closers.push(() => currentPolicy.close());

  const pump = new Pump({ book, outbox, link, noise, isolation, minutes, metrics, log }, nowMs());
  const turn = startTurns(pump, closers);

  const obstacle = () => noise.obstacle(link.state, nowMs(), threads.length);
  const status = () => statusOf(host, { link, book, media, threads, capacity });
  const health = await openHealth(config.metrics, metrics, obstacle, status);
  closers.push(() => health.close());
  await host.lock.tell(health.url).catch(usedIn(config.stateDir));
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

  const { joinToken, workerName, isDisposable: disposable } = config;
  const self = { joinToken, workerName, disposable, bootId: randomUUID(), threads, media, abilities, found };
  const hello = () =>
    greeting({
      ...self,
      allocationIds: [...book.held.map(uuidBytes), ...outbox.endedBefore],
      sipAbilities: abilitiesWith(config.drachtio === null ? 'core' : 'drachtio'),
      capacity: capacity(),
      streamCapacity: most.streams,
      limits: most.limits,
      policy: policyDigest(currentPolicy.policy, most.endpoints),
    });
  const handlers = { hello, onKey: keyChange.answer, onCopied: copies.seen, onWelcome: welcomed.resolve, breaks };
  link.open(linkEvents({ book, link, recordings, storage }, handlers));

  return {
    broken,
    copied: copies.certain,
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
        turn();
        await sleep(LAST_TURN_MS);
      }
      await closers.close();
    },
    async leave(drainMs) {
      await leave({ book, outbox, link, turn }, drainMs);
      await closers.close();
      return link.isLeft;
    },
  };
}

/** Returns a function for a turn before its time. */
function startTurns(pump: Pump, closers: Closers): () => void {
  const turn = (): void => pump.turn(nowMs(), Date.now());
  const timer = setInterval(turn, TURN_MS);
  closers.push(async () => {
    clearInterval(timer);
    await pump.saveMinutes();
  });
  return turn;
}

/** Settles when the first thread has ended, which must not happen while the agent runs. */
const threadEnded = (media: MediaThreads, threads: readonly SignallingThread[]): Promise<Error> =>
  Promise.race([
    media.ended.then((error) => error ?? new Error('the media thread ended')),
    ...threads.map((thread) => thread.ended.then((error) => error ?? new Error('the signalling thread ended'))),
  ]);
