/**
 * The media of one endpoint: its offers and answers, and its streams, which get the negotiated parameters. For calls
 * without media it offers and answers, but does not check the far end's description.
 */
import { isDeepStrictEqual } from 'node:util';
import { answerAgain, answerSdp, offerAgain, offerAnew } from '@carillon/media/sdp/answer.ts';
import type { FeedbackProfile, LocalSession } from '@carillon/media/sdp/local.ts';
import { type NegotiatedStream, negotiated, type Side } from '@carillon/media/sdp/negotiated.ts';
import { offerSdp } from '@carillon/media/sdp/offer.ts';
import { isSdpFault, type SdpFault, sdpFault, sends } from '@carillon/media/sdp/session-description.ts';
import type { MediaStream } from '../../../rtp/media-engine.ts';
import type { StepPlan, TrackPlan } from '../../plan.ts';
import { iceFailureOf, paused, streamSession, unplayableVideo, unsendableDigits } from './agreed-streams.ts';
import { inactiveOffer } from './inactive-offer.ts';
import {
  feedbackProfileOf,
  localSession,
  opened,
  type SessionOptions,
  withOtherKeys,
  withoutFlow,
  withRestartedIce,
} from './local-streams.ts';
import { MediaPolicy } from './media-policy.ts';
import { bundleOf, carrierOf, carriersFirst, namedFor } from './shared-transport.ts';
import { StreamDirections } from './stream-directions.ts';

/** All calls without media share this: a load has thousands of them per second. */
const NONE: never[] = [];
/** Duration of a digit sent by an action, and the pause after it. */
const KEY_MS = 100;

export type EndpointMediaOptions = SessionOptions & {
  /** Whether the host's policy lets media go to a numeric address. */
  readonly mayReach: (address: string) => boolean;
};

export class EndpointMedia {
  readonly #options: EndpointMediaOptions;
  /** One for each track of the group, in the same order; none before they are opened. */
  #streams: readonly MediaStream[] = NONE;
  #isClosed = false;
  #session: LocalSession | null = null;
  /** Last parameters of each stream; null: it was not started. */
  readonly #agreed: (NegotiatedStream | null)[];
  /** For each stream in `#streams`, its part in the last session; null: it has none. */
  #named: readonly (NegotiatedStream | null)[] = NONE;
  /** Our session with the peer that the endpoint is moving to; null: it is not moving. */
  #next: LocalSession | null = null;
  #association = 0;
  /** The call in which each stream was last negotiated. */
  readonly #associations: number[];
  /** How often each stream has returned after it had no place in the session. */
  readonly #returns: number[];
  /** The profile of its offers. */
  #feedbackProfile: FeedbackProfile;
  /** Whether a peer has refused the profile that was offered first. */
  #isRefused = false;
  /** No peer has shown yet that it wants the media of streams that start now. */
  #awaitsConsent = false;
  /** Created when first needed. */
  #streamDirections: StreamDirections | null = null;
  /** Created when first needed. */
  #policy: MediaPolicy | null = null;

  constructor(options: EndpointMediaOptions) {
    this.#options = options;
    const { tracks } = options.group;
    this.#agreed = ofEach<NegotiatedStream | null>(tracks, null);
    this.#associations = ofEach(tracks, 0);
    this.#returns = ofEach(tracks, 0);
    this.#feedbackProfile = feedbackProfileOf(options.group);
  }

  get #directions(): StreamDirections {
    this.#streamDirections ??= new StreamDirections(this.#options.group.tracks);
    return this.#streamDirections;
  }

  get policy(): MediaPolicy {
    this.#policy ??= new MediaPolicy(this.#options.mayReach);
    return this.#policy;
  }

  /** Whether every track of the group has its stream. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#streams.length === this.#options.group.tracks.length;
  }

  /** Accepts the streams of its call; if it has ended, they are closed. */
  open(streams: readonly MediaStream[]): void {
    if (this.#isClosed || this.#streams.length > 0) for (const stream of streams) stream.close();
    else this.#streams = streams;
  }

  /** '': there is no SDP, and none is expected. */
  offer(): string {
    if (this.#isWithoutSdp) return '';
    const { group, sessionId } = this.#options;
    const once = this.#isRefused ? null : inactiveOffer(group, sessionId, () => this.#local());
    return once ?? offerSdp(this.#local());
  }

  /**
   * The offer with the other profile, once: for a peer that has refused (488) an unknown profile, or a form of video.
   * Null: no different offer exists.
   */
  offerOtherProfile(): string | null {
    const hasVideo = this.#options.group.tracks.some(({ kind }) => kind === 'VIDEO');
    if (this.#isRefused || (this.#feedbackProfile === 'AVP' && !hasVideo)) return null;
    this.#isRefused = true;
    this.#feedbackProfile = this.#feedbackProfile === 'AVP' ? 'AVPF' : 'AVP';
    return this.offer();
  }

  /** Offers the streams to another peer: with new keys, and a handshake in either role. The current session continues. */
  offerElsewhere(): string {
    this.#next = withOtherKeys(this.#local(false));
    return this.#isWithoutSdp ? '' : offerSdp(this.#elsewhere());
  }

  /** Offers another peer a session without media: the streams stay with the current one. */
  offerInactive(): string {
    return offerSdp(withoutFlow(withOtherKeys(this.#local(false))));
  }

  /** Answers another peer's offer in the same way. */
  answerElsewhere(offer: string): string | SdpFault {
    this.#next = withOtherKeys(this.#local(false));
    return answerSdp(offer, this.#elsewhere());
  }

  /** Like `describeAgain`, with the peer of `offerElsewhere`. */
  describeElsewhere(current: string, offer: string): string | SdpFault {
    return this.#agreeable(current, offer, this.#elsewhere());
  }

  /** Like `agree`, for the negotiation that `offerElsewhere` started: the streams belong to that session from now on. */
  agreeElsewhere(offer: string, answer: string, side: Side): string | null {
    this.#association++;
    const problem = this.agree(offer, answer, side);
    if (problem === null) this.#session = this.#next;
    else this.#association--;
    return problem;
  }

  /** A fault is known before there are streams. If media are sent, the destination must be usable. */
  answer(offer: string): string | SdpFault {
    const local = this.#local();
    return answerSdp(offer, this.#isWithoutMedia ? local : { ...local, judge: this.policy.judge });
  }

  /** Accepts any addresses, because `agree` checks them. */
  answerDelayed(offer: string): string | SdpFault {
    return answerSdp(offer, this.#local());
  }

  /** Agrees to hold, resume and so on if the policy allows the media address; `offer` '': the peer asks for ours. */
  describeAgain(current: string, offer: string): string | SdpFault {
    return this.#agreeable(current, offer, this.#local());
  }

  #agreeable(current: string, offer: string, local: LocalSession): string | SdpFault {
    // If there is no session yet, the peer's offer starts it.
    if (offer === '') return current === '' ? '' : offerAnew(current, local);
    const answer = current === '' ? answerSdp(offer, local) : answerAgain(current, offer, local);
    if (isSdpFault(answer) || this.#isWithoutMedia) return answer;
    const agreed = negotiated(offer, answer, 'ANSWERER');
    if (isSdpFault(agreed)) return agreed;
    const forbidden = this.policy.forbids(agreed);
    if (forbidden !== null) return sdpFault('FORBIDDEN', forbidden);
    const restarted = withRestartedIce(local, this.#agreed, agreed);
    if (restarted === null) return answer;
    this.#session = restarted;
    return answerAgain(current, offer, restarted);
  }

  /**
   * Starts or changes the streams as offer and answer say; returns the reason if they cannot be used. `awaitsConsent`:
   * the peer may not be at the address in its offer, and is sent little before `consented`.
   */
  agree(offer: string, answer: string, side: Side, awaitsConsent = false): string | null {
    if (this.#isWithoutMedia) return null;
    this.#awaitsConsent ||= awaitsConsent;
    const agreed = negotiated(offer, answer, side);
    if (isSdpFault(agreed)) return agreed.reason;
    const { dtmf, tracks } = this.#options.group;
    return (
      this.policy.forbids(agreed) ??
      // Without a way to receive digits, there is no test of digits.
      (dtmf && unsendableDigits(agreed, dtmf.digits)) ??
      unplayableVideo(agreed, tracks, this.#streams) ??
      this.#tell(agreed)
    );
  }

  /** The far end has left, and another one is being called: nothing is sent, and no media are expected. */
  suspend(): void {
    if (!this.#isWithoutMedia) this.#tell(NONE);
  }

  /** The peer has acknowledged our message: it exists at its address. */
  consented(): void {
    if (this.#awaitsConsent) for (const stream of this.#streams) stream.consent?.();
    this.#awaitsConsent = false;
  }

  /** The addresses that its streams are sent to: the negotiated ones, or the sources that streams have switched to. */
  get remoteAddresses(): readonly string[] {
    const followed = this.#streams.map((stream) => stream.followedAddress?.() ?? null);
    return [...this.#agreed.map((one) => one?.address ?? null), ...followed].filter((one) => one !== null);
  }

  /** Sends the digits of the group, if it has any. */
  sendDigits(): void {
    const { dtmf } = this.#options.group;
    if (dtmf !== null) this.pressKeys(dtmf.digits, dtmf.onMs, dtmf.offMs);
  }

  /** Presses keys (RFC 4733); returns why that is impossible, or null. */
  pressKeys(digits: string, onMs = KEY_MS, offMs = KEY_MS): string | null {
    const audio = this.#audio;
    const agreed = this.#agreed[audio] ?? null;
    if (agreed === null) return 'there is no audio stream';
    if (!sends(agreed.direction)) return 'the audio stream does not send';
    const problem = unsendableDigits([agreed], digits);
    if (problem === null) this.#streams[audio]?.sendDigits?.(digits, onMs, offMs);
    return problem;
  }

  /** The first 32 digits that arrived by RTP. */
  receivedDigits(): readonly string[] {
    return this.#streams[this.#audio]?.digits?.().map(({ digit }) => digit) ?? [];
  }

  /** A digit that was sent by INFO counts like one of RFC 4733. */
  noteDigit(way: 'SENT' | 'RECEIVED', digit: string, durationMs: number): void {
    this.#streams[this.#audio]?.noteDigit?.(way, digit, durationMs);
  }

  /** `receivedDigits` includes the digits of `noteDigit`. */
  get countsSignalled(): boolean {
    return this.#streams[this.#audio]?.noteDigit !== undefined;
  }

  /** Sends nothing, regardless of the peer's description. */
  get #isWithoutMedia(): boolean {
    return this.#options.group.withoutMedia !== null;
  }

  get #isWithoutSdp(): boolean {
    return this.#options.group.withoutMedia?.sdp === 'NONE';
  }

  get #audio(): number {
    return this.#options.group.tracks.findIndex(({ kind }) => kind === 'AUDIO');
  }

  /** Changes the wanted session for a step; returns how to revert it. Null: no change. */
  want(step: StepPlan): (() => void) | null {
    return this.#directions.want(step);
  }

  /** Which part of a step's request the negotiated session lacks. */
  missed(step: StepPlan): string | null {
    return this.#directions.missed(step, this.#agreed);
  }

  offerAgain(current: string): string | SdpFault {
    return offerAgain(current, this.#local(), this.#directions.back);
  }

  /** The call is established. */
  connected(): void {
    if (this.#options.group.tracks.length > 0) this.#directions.connected(this.#streams, this.#named);
  }

  /** The number of streams that were started. */
  get started(): number {
    let started = 0;
    for (const one of this.#agreed) if (one !== null) started++;
    return started;
  }

  /** Whether the far end holds the call. */
  get isHeld(): boolean {
    return this.#streamDirections?.isHeld(this.#named) ?? false;
  }

  /** The arrival of the first packet on any stream; null: no packet has arrived. */
  firstPacketAtMs(): number | null {
    let first: number | null = null;
    for (const stream of this.#streams) {
      const atMs = stream.firstPacketAtMs();
      if (atMs !== null && (first === null || atMs < first)) first = atMs;
    }
    return first;
  }

  /** Why media could not flow in a call of this duration; null: ICE has found a pair, or was not negotiated. */
  iceFailure(upMs: number): string | null {
    return this.#isClosed ? null : iceFailureOf(this.#streams, upMs);
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) stream.close();
  }

  /** `shares`: streams may use the transport of another stream if that was negotiated. */
  #local(shares = true): LocalSession {
    this.#session ??= localSession(this.#options);
    const all = this.#session.streams;
    const streams = all.map((one, i) => {
      const { security = null } = this.#agreed[i] ?? {};
      const carrier = shares ? carrierOf(i, this.#named[i] ?? null, this.#streams) : i;
      const placed = opened({ ...one, ice: all[carrier]?.ice ?? null }, this.#streams[carrier], this.#options.address);
      // Each stream keeps the role of its own handshake (RFC 8842, 5.5).
      return {
        ...placed,
        direction: this.#directions.wanted(i),
        dtlsRole: security?.mode === 'DTLS' ? security.role : null,
      };
    });
    return { ...this.#session, feedbackProfile: this.#feedbackProfile, streams };
  }

  /** The session that we want now with the peer of `offerElsewhere`. */
  #elsewhere(): LocalSession {
    const next = this.#next ?? this.#local(false);
    return { ...next, streams: next.streams.map((one, i) => ({ ...one, direction: this.#directions.wanted(i) })) };
  }

  /**
   * Unchanged parameters are not set again: most later offers only refresh the session. A stream that is no longer
   * negotiated pauses.
   */
  #tell(agreed: readonly NegotiatedStream[]): string | null {
    const { group, mayReach } = this.#options;
    const streams = this.#streams;
    const namedBefore = this.#named;
    this.#named = group.tracks.map(({ kind }, i) => namedFor(kind, streams[i]?.rtpPort ?? 0, agreed));
    for (const i of carriersFirst(this.#named, streams)) {
      const stream = streams[i] as MediaStream;
      const before = this.#agreed[i] ?? null;
      const named = this.#named[i] ?? null;
      const now = named ?? paused(before);
      // An association ends with the stream's position (RFC 8842, 5.2): a stream that returns needs a new handshake.
      if (before !== null && named !== null && (namedBefore[i] ?? null) === null) (this.#returns[i] as number)++;
      const association = named ? this.#association + (this.#returns[i] as number) : (this.#associations[i] as number);
      const isSame = association === this.#associations[i] && isDeepStrictEqual(now, before);
      if (now === null || isSame) continue;
      const bundle = bundleOf(i, now, this.#named, streams);
      if (before === null && now.direction === 'inactive' && bundle?.carrier !== stream.index) continue;
      try {
        const session = streamSession(now, (group.tracks[i] as TrackPlan).source, mayReach, this.#awaitsConsent);
        const more = { ...(association > 0 && { association }), ...(bundle && { bundle }) };
        const sender = this.#session?.streams[i]?.sender ?? null;
        stream[before === null ? 'start' : 'change']({ ...session, ...more, sender });
      } catch (error) {
        return (error as Error).message;
      }
      this.#agreed[i] = now;
      this.#associations[i] = association;
    }
    this.#directions.expect(streams, this.#named);
    return null;
  }
}

const ofEach = <T>(tracks: readonly TrackPlan[], value: T): T[] =>
  tracks.length === 0 ? NONE : tracks.map(() => value);
