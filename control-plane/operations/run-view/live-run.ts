/**
 * Runs in progress, for watchers: one database query per second and watched run, for any number of watchers. A watcher
 * gets the run in its operation's format, and the timeline from the last step that it has.
 */
import type { Output } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { joinColumn, joinColumns } from '../../contract/run/join-columns.ts';
import type { LiveEvent, Timeline } from '../../contract/run/timeline.ts';
import { tailOf } from '../../domain/figures/timeline.ts';
import { LIMITS } from '../../limits/limits.ts';
import { Turns } from '../../limits/turns.ts';
import type { Database } from '../../store/db.ts';
import type { Context, Handler } from '../request/perform.ts';
import { getTestRun, knownRun } from './runs.ts';
import { drawTimeline, type TimelinePlan, timelinePlanOf } from './timeline.ts';

const LOOK_MS = 1000;
/** Queries take at most this part of the time, however large the run is. */
const SHARE = 0.2;
/** Later reports of agents appear at the next full query. */
const SETTLED_MS = 15_000;
const WHOLE_EVERY = 20;
/** A full query goes back so far: until its end the run lacks what agents report later than this of ratings, loss, noise and, if folded, set-up times. */
const LATE_MS = 600_000;

export type LiveStream = {
  /** The next events; null: the end. */
  next(): Promise<readonly LiveEvent[] | null>;
  close(): void;
};

type RunPath = { readonly projectId: string; readonly testRunId: string };
type Look = { readonly run: Output<'getTestRun'>; readonly timeline: Timeline; readonly whole: boolean };

const watchesOf = new WeakMap<Database, Map<string, Watch>>();
const looksOf = new WeakMap<Database, Turns>();
const streamsOf = new WeakMap<Database, Map<string, number>>();

const held = <V>(of: WeakMap<Database, Map<string, V>>, database: Database): Map<string, V> => {
  const found = of.get(database) ?? new Map<string, V>();
  of.set(database, found);
  return found;
};

/** One run, queried while it has watchers. */
class Watch {
  readonly #context: Context;
  readonly #path: RunPath;
  readonly #onEmpty: () => void;
  readonly #wakers = new Set<() => void>();
  #watchers = 0;
  #plan: TimelinePlan | undefined;
  #timer: NodeJS.Timeout | undefined;
  look: Look | undefined;
  number = 0;

  constructor(context: Context, path: RunPath, onEmpty: () => void) {
    this.#context = context;
    this.#path = path;
    this.#onEmpty = onEmpty;
  }

  join(): void {
    if (++this.#watchers === 1) void this.#turn();
  }

  leave(): void {
    if (--this.#watchers > 0) return;
    clearTimeout(this.#timer);
    this.#onEmpty();
  }

  /** Resolves once a result after number `seen` exists or, when woken, if `isOpen` is false. */
  async after(seen: number, isOpen: () => boolean): Promise<void> {
    while (this.number <= seen && isOpen()) await new Promise<void>((resolve) => this.#wakers.add(resolve));
  }

  /** Wakes all waiting watchers. */
  wake(): void {
    const woken = [...this.#wakers];
    this.#wakers.clear();
    for (const wake of woken) wake();
  }

  async #turn(): Promise<void> {
    const { log, database } = this.#context.ports;
    const looks = looksOf.get(database) ?? new Turns(LIMITS.looksAtOnce.max);
    looksOf.set(database, looks);
    let beganMs = 0;
    try {
      await looks.take('', async () => {
        beganMs = performance.now();
        if (this.#watchers > 0) await this.#see();
      });
      this.wake();
    } catch (error) {
      log.warn(
        { runId: this.#path.testRunId, error: (error as Error).message },
        'a watched run cannot be read, trying again',
      );
    }
    if (this.#watchers === 0 || this.look?.run.endedAt) return;
    const waitMs = Math.max(LOOK_MS, (performance.now() - beganMs) / SHARE);
    this.#timer = setTimeout(() => void this.#turn(), waitMs);
  }

  async #see(): Promise<void> {
    const { ports } = this.#context;
    const { db } = ports.database;
    const run = await getTestRun(this.#context, this.#path);
    // A changed load changes the calls that are due from then on.
    if (run.load?.callsPerSecond !== this.look?.run.load?.callsPerSecond) this.#plan = undefined;
    this.#plan ??= await timelinePlanOf(db, this.#path);
    const before = this.look?.timeline;
    const now = ports.now();
    const extent = {
      startedAt: run.startedAt === null ? null : new Date(run.startedAt),
      endedAt: run.endedAt === null ? null : new Date(run.endedAt),
    };
    const isDue = this.number % WHOLE_EVERY === 0 || extent.endedAt !== null;
    const fromMs = before ? settledMs(before) - (isDue ? LATE_MS : 0) : 0;
    const since =
      before?.from && extent.endedAt === null ? new Date(Math.max(fromMs, Date.parse(before.from))) : undefined;
    const drawn = await drawTimeline(db, this.#plan, extent, now, since && { since });
    const { isFolded } = this.#plan.run;
    const joined = since && before ? joinTimelines(before, drawn, since.getTime(), isFolded) : drawn;
    this.look = { run, timeline: joined ?? (await drawTimeline(db, this.#plan, extent, now)), whole: isDue || !joined };
    this.number++;
  }
}

/** The beginning of the first step that may still change. */
function settledMs({ from, steps, resolutionSeconds }: Timeline): number {
  if (from === null) return 0;
  const ms = resolutionSeconds * 1000;
  const end = Date.parse(from) + steps * ms;
  return Math.max(Date.parse(from), Math.floor((end - SETTLED_MS) / ms) * ms - ms);
}

/** Takes figures up to `fromMs` from `before`, and the rest from `drawn`; null: their steps differ. */
function joinTimelines(before: Timeline, drawn: Timeline, fromMs: number, isFolded: boolean): Timeline | null {
  if (
    before.resolutionSeconds !== drawn.resolutionSeconds ||
    before.from !== drawn.from ||
    before.mosScale !== drawn.mosScale
  )
    return null;
  const kept = Math.floor((fromMs - Date.parse(before.from ?? '')) / (before.resolutionSeconds * 1000));
  return {
    ...drawn,
    ...(isFolded && { setupMs: joinColumns(before.setupMs, kept, drawn.setupMs, kept) }),
    mos: joinColumns(before.mos, kept, drawn.mos, kept),
    lossFraction: joinColumn(before.lossFraction, kept, drawn.lossFraction, kept),
    noise: joinColumns(before.noise, kept, drawn.noise, kept),
  };
}

/** Cursor of a watcher's final data: the resolution, and the instant before which nothing changes. */
const cursorOf = (t: Timeline): string => `${t.resolutionSeconds}-${settledMs(t)}`;

/** The part that a watcher at `cursor` does not have in final form; everything if its steps differ. */
function unheard(t: Timeline, cursor: string | null): Timeline {
  const [, resolution, ms] = /^(\d+)-(\d+)$/.exec(cursor ?? '') ?? [];
  if (resolution === undefined || Number(resolution) !== t.resolutionSeconds || t.from === null) return t;
  return Number(ms) < Date.parse(t.from) ? t : tailOf(t, Number(ms));
}

/** @throws ApiError NOT_FOUND; RATE_LIMITED: the organization watches enough runs */
export const streamTestRun: Handler<'streamTestRun'> = async (context, input): Promise<LiveStream> => {
  const { ports, actor } = context;
  const { projectId, testRunId } = input;
  const run = await knownRun(ports.database.db, input);
  const streams = held(streamsOf, ports.database);
  const open = streams.get(actor.organizationId) ?? 0;
  if (open >= LIMITS.watchedRuns.max) {
    const message = `This organization watches ${LIMITS.watchedRuns.max} runs already. Close one, or ask for the run itself every few seconds.`;
    throw new ApiError('RATE_LIMITED', message, [], 5);
  }
  streams.set(actor.organizationId, open + 1);
  const watches = held(watchesOf, ports.database);
  const watch = watches.get(run.id) ?? new Watch(context, { projectId, testRunId }, () => watches.delete(run.id));
  watches.set(run.id, watch);
  watch.join();
  return streamOf(watch, input.after ?? null, () => {
    watch.leave();
    const left = (streams.get(actor.organizationId) ?? 1) - 1;
    if (left > 0) streams.set(actor.organizationId, left);
    else streams.delete(actor.organizationId);
  });
};

function streamOf(watch: Watch, after: string | null, onClose: () => void): LiveStream {
  let cursor = after;
  let seen = 0;
  let state: 'open' | 'over' | 'closed' = 'open';
  return {
    async next() {
      if (state === 'open') await watch.after(seen, () => state === 'open');
      const { look } = watch;
      if (state !== 'open' || !look) return null;
      // A watcher that missed a full query gets everything, and so do all watchers at the end: findings of the other
      // end may make calls fail.
      const known = (look.whole && seen > 0) || look.run.endedAt !== null ? null : cursor;
      seen = watch.number;
      cursor = cursorOf(look.timeline);
      const events: LiveEvent[] = [
        { event: 'run', data: look.run },
        { event: 'timeline', id: cursor, data: unheard(look.timeline, known) },
      ];
      if (look.run.endedAt === null) return events;
      state = 'over';
      return [...events, { event: 'end', data: { reason: 'OVER' } }];
    },
    close() {
      if (state === 'closed') return;
      state = 'closed';
      watch.wake();
      onClose();
    },
  };
}
