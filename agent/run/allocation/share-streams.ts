/**
 * The streams of a share's calls. Ports and rows are taken when a call needs them: for planned calls shortly before
 * their instants, many with one request; for others, such as incoming calls, individually. A call returns its own.
 */
import type { MediaEngine, MediaStream, StreamProfile } from '../../rtp/media-engine.ts';
import type { StreamHolder, StunFailure } from '../endpoint/core/holders.ts';
import { Timetable } from '../order/timetable.ts';
import type { SharePlan, TrackPlan } from '../plan.ts';

/** The longest time that a media thread needs to bind the ports of a hundred calls while it sends. */
const AHEAD_MS = 250;
/** Requests are this far apart, because each costs as much as binding a pair. */
const EVERY_MS = 100;

/** Calls that would wait in vain are not started. */
function refuse(why: string): never {
  throw Object.assign(new Error(`the STUN server of the group cannot be used: ${why}`), { name: 'STUN_SERVER' });
}

export type StreamDeps = {
  readonly media: MediaEngine;
  /** The numeric address of a host that media may be sent to. Rejects with the reason. Absent: names are not looked up. */
  readonly findHost?: (host: string) => Promise<string>;
};

export class ShareStreams {
  /** How long before its instant a call should be announced. */
  readonly aheadMs: number;
  readonly #plan: SharePlan;
  readonly #media: MediaEngine;
  readonly #address: string;
  readonly #findHost: StreamDeps['findHost'];
  #profiles: readonly StreamProfile[];
  readonly #planned = new Timetable<StreamHolder>();
  /** Holders whose streams are being opened. */
  readonly #asked = new Set<StreamHolder>();
  #nextLookMs = Number.NEGATIVE_INFINITY;

  constructor(plan: SharePlan, deps: StreamDeps, address: string) {
    this.#plan = plan;
    this.#media = deps.media;
    this.#findHost = deps.findHost;
    this.#address = address;
    this.#profiles = plan.group.tracks.map((track) => profileOf(track, plan, null));
    this.aheadMs = this.#profiles.length > 0 ? AHEAD_MS + EVERY_MS : 0;
  }

  /**
   * Opens streams of one endpoint and closes them: detects problems that affect every call before the first one.
   * Rejects as `MediaEngine.open`.
   */
  async prove(): Promise<void> {
    const { owner, endpoints, group } = this.#plan;
    const server = group.ice?.stunServer ?? null;
    if (server !== null && group.tracks.length > 0 && this.#findHost) {
      const address = await this.#findHost(server.host).catch((error: Error) => refuse(error.message));
      this.#profiles = group.tracks.map((track) => profileOf(track, this.#plan, { address, port: server.port }));
    }
    const numbers = endpoints.slice(0, 1).map(({ number }) => number);
    for (const profile of this.#profiles) {
      const opened = await this.#media.open(this.#address, owner, numbers, { ...profile, traced: null });
      const isUnseen = profile.ice?.stunServer && opened.some(({ reflexive }) => !reflexive);
      for (const stream of opened) stream.close();
      if (isUnseen) refuse(`${server?.host}:${server?.port} did not answer`);
    }
  }

  /** Asks the group's STUN server for the public address of a media port; null: it answered. */
  async askStun(number: number): Promise<StunFailure | null> {
    const server = this.#plan.group.ice?.stunServer ?? null;
    if (server === null || !this.#findHost) return { cause: 'STUN_TIMEOUT', text: 'the group names no STUN server' };
    const address = await this.#findHost(server.host).catch((error: Error) => error);
    if (typeof address !== 'string')
      return { cause: address.name === 'TARGET_NOT_ALLOWED' ? address.name : 'DNS_FAILED', text: address.message };
    const ice = { stunServer: { address, port: server.port } };
    const profile = { stream: 0, impairment: null, ice, traced: null };
    const opened = await this.#media
      .open(this.#address, this.#plan.owner, [number], profile)
      .catch((error: Error) => error);
    if (!Array.isArray(opened)) return { cause: 'MEDIA_PORTS_EXHAUSTED', text: opened.message };
    const isSeen = opened.every(({ reflexive }) => reflexive);
    for (const stream of opened) stream.close();
    return isSeen ? null : { cause: 'STUN_TIMEOUT', text: `${server.host}:${server.port} did not answer` };
  }

  /** A call is planned for this instant. */
  expect(atMs: number, holder: StreamHolder): void {
    if (this.#profiles.length > 0) this.#planned.add(atMs, holder);
  }

  /** No further calls are planned. */
  clear(): void {
    this.#planned.clear();
  }

  /** Requests streams for calls that are due soon. */
  turn(nowMs: number): void {
    if (nowMs < this.#nextLookMs || this.#planned.nextMs > nowMs + AHEAD_MS) return;
    this.#nextLookMs = nowMs + EVERY_MS;
    const soon: StreamHolder[] = [];
    const until = nowMs + AHEAD_MS + EVERY_MS;
    // A NaN instant is due.
    while (!(this.#planned.nextMs > until)) {
      const holder = this.#planned.take();
      if (holder.wantsStreams && !this.#asked.has(holder)) soon.push(holder);
    }
    if (soon.length > 0) this.#ask(soon);
  }

  /** Opens the streams of one holder immediately; `onStreams` follows, before this returns if no waiting is needed. */
  open(holder: StreamHolder): void {
    if (!this.#asked.has(holder)) this.#ask([holder]);
  }

  /** Sends one request for each track; either all succeed, or none. */
  #ask(holders: readonly StreamHolder[]): void {
    const numbers = holders.map(({ plan }) => plan.number);
    const results: (MediaStream[] | Error)[] = [];
    let left = this.#profiles.length;
    for (const holder of holders) this.#asked.add(holder);
    for (const [i, profile] of this.#profiles.entries()) {
      this.#media.request(this.#address, this.#plan.owner, numbers, profile, (result) => {
        results[i] = result;
        left--;
        if (left === 0) this.#tell(holders, results);
      });
    }
  }

  #tell(holders: readonly StreamHolder[], results: readonly (MediaStream[] | Error)[]): void {
    const failed = results.find((one) => one instanceof Error);
    const opened = results.map((one) => (one instanceof Error ? [] : one));
    if (failed !== undefined) for (const stream of opened.flat()) stream.close();
    const instead = holders.length > 1 ? null : failed;
    for (const [i, holder] of holders.entries()) {
      this.#asked.delete(holder);
      holder.onStreams(failed === undefined ? opened.map((streams) => streams[i] as MediaStream) : (instead ?? null));
    }
  }
}

const profileOf = (
  { kind, dscp }: TrackPlan,
  { group, traced }: SharePlan,
  stunServer: NonNullable<StreamProfile['ice']>['stunServer'],
): StreamProfile => ({
  stream: kind === 'AUDIO' ? 0 : 1,
  ...(dscp > 0 ? { dscp } : {}),
  impairment: group.impairment,
  ice: group.ice && { stunServer },
  traced,
});
