/**
 * The media of one endpoint: what it offers and answers, and its streams, told of what was agreed on. Of calls that are signalling alone
 * it offers and answers, and judges nothing that the far end says.
 */
import { isDeepStrictEqual } from 'node:util';
import { answerAgain, answerSdp, offerAgain } from '@carillon/media/sdp/answer.ts';
import type { FeedbackProfile, LocalSession } from '@carillon/media/sdp/local.ts';
import { type NegotiatedStream, negotiated, type Side } from '@carillon/media/sdp/negotiated.ts';
import { offerSdp } from '@carillon/media/sdp/offer.ts';
import {
  type Direction,
  isSdpFault,
  receives,
  type SdpFault,
  sdpFault,
  sends,
} from '@carillon/media/sdp/session-description.ts';
import type { MediaStream } from '../../rtp/media-engine.ts';
import type { StepPlan, TrackPlan } from '../plan.ts';
import { iceFailureOf, maySend, paused, streamSession, unplayableVideo, untold } from './agreed-streams.ts';
import { inactiveOffer } from './inactive-offer.ts';
import {
  feedbackProfileOf,
  localSession,
  opened,
  type SessionOptions,
  wantedDirection,
  withOtherKeys,
  withoutFlow,
  withRestartedIce,
} from './local-streams.ts';
import { MediaPolicy } from './media-policy.ts';
import { bundleOf, carrierOf, carriersFirst, namedFor } from './shared-transport.ts';

/** How long an action holds a key, and pauses after it. */
const KEY_MS = 100;

export type EndpointMediaOptions = SessionOptions & {
  /** Whether the host's policy lets media go to a numeric address. */
  readonly mayReach: (address: string) => boolean;
};

export class EndpointMedia {
  readonly #options: EndpointMediaOptions;
  /** One for each track of the group, in the same order; none before they are opened. */
  #streams: readonly MediaStream[] = [];
  #isClosed = false;
  #session: LocalSession | null = null;
  /** What each stream was last told; null: it was not started. */
  readonly #agreed: (NegotiatedStream | null)[];
  /** The streams that were named last, as they are in `#streams`; null: not among them. */
  #named: readonly (NegotiatedStream | null)[] = [];
  /** Of the call that the endpoint has moved to, as far as one is tried. */
  #next: LocalSession | null = null;
  #association = 0;
  /** With which call each stream was last agreed on. */
  readonly #associations: number[];
  /** Times that a stream has come back after it had no place in the session. */
  readonly #returns: number[];
  /** Of its offers. */
  #feedbackProfile: FeedbackProfile;
  /** A peer has refused the profile that was offered first. */
  #isRefused = false;
  #holds = false;
  /** Streams that start now have nobody yet who is known to want them. */
  #awaitsConsent = false;
  /** The call is up: what the session lets the far end send is owed. */
  #isUp = false;
  /** Streams that the session has let send since the call is up, a bit each: where it does so no more, the far end holds. */
  #flowed = 0;
  /** What each stream was last told to expect. */
  readonly #owed: boolean[] = [];
  #activated: Set<TrackPlan['kind']> | null = null;
  /** Offered again if it has no place. */
  #back: TrackPlan['kind'] | null = null;
  readonly policy: MediaPolicy;

  constructor(options: EndpointMediaOptions) {
    this.#options = options;
    this.policy = new MediaPolicy(options.mayReach);
    this.#agreed = options.group.tracks.map(() => null);
    this.#associations = options.group.tracks.map(() => 0);
    this.#returns = options.group.tracks.map(() => 0);
    this.#feedbackProfile = feedbackProfileOf(options.group);
  }

  /** What its session is told of needs no more. */
  get isOpen(): boolean {
    return !this.#isClosed && this.#streams.length === this.#options.group.tracks.length;
  }

  /** The streams of its call; those that come when it is over are closed. */
  open(streams: readonly MediaStream[]): void {
    if (this.#isClosed || this.#streams.length > 0) for (const stream of streams) stream.close();
    else this.#streams = streams;
  }

  /** '': there is no SDP, and none is waited for. */
  offer(): string {
    if (this.#isWithoutSdp) return '';
    const { group, sessionId } = this.#options;
    const once = this.#isRefused ? null : inactiveOffer(group, sessionId, () => this.#local());
    return once ?? offerSdp(this.#local());
  }

  /**
   * The offer over the other profile, once: for a peer that has refused (488) one that it may not know, or a video that it wants in another
   * form. Null: there is none that would make a difference.
   */
  offerOtherProfile(): string | null {
    const hasVideo = this.#options.group.tracks.some(({ kind }) => kind === 'VIDEO');
    if (this.#isRefused || (this.#feedbackProfile === 'AVP' && !hasVideo)) return null;
    this.#isRefused = true;
    this.#feedbackProfile = this.#feedbackProfile === 'AVP' ? 'AVPF' : 'AVP';
    return this.offer();
  }

  /** Offers the streams to somebody else: with keys of their own, and a handshake in either role. The present session goes on. */
  offerElsewhere(): string {
    this.#next = withOtherKeys(this.#local(false));
    return this.#isWithoutSdp ? '' : offerSdp(this.#elsewhere());
  }

  /** Offers somebody else a session in which nobody sends anything: the streams stay with the present one. */
  offerInactive(): string {
    return offerSdp(withoutFlow(withOtherKeys(this.#local(false))));
  }

  /** Answers somebody else's offer in the same way. */
  answerElsewhere(offer: string): string | SdpFault {
    this.#next = withOtherKeys(this.#local(false));
    return answerSdp(offer, this.#elsewhere());
  }

  /** As `describeAgain`, with the peer that `offerElsewhere` is for. */
  describeElsewhere(current: string, offer: string): string | SdpFault {
    return this.#agreeable(current, offer, this.#elsewhere());
  }

  /** The same as `agree`, of what `offerElsewhere` led to: the streams go there from now on. */
  agreeElsewhere(offer: string, answer: string, side: Side): string | null {
    this.#association++;
    const problem = this.agree(offer, answer, side);
    if (problem === null) this.#session = this.#next;
    else this.#association--;
    return problem;
  }

  /** A fault is known before there are streams. Where media are sent, it has to be to an address that they can be sent to. */
  answer(offer: string): string | SdpFault {
    const local = this.#local();
    return answerSdp(offer, this.#isWithoutMedia ? local : { ...local, judge: this.policy.judge });
  }

  /** Whatever addresses it names: `agree` says what is wrong with them. */
  answerDelayed(offer: string): string | SdpFault {
    return answerSdp(offer, this.#local());
  }

  /** Agrees to hold, resume and the like as long as the policy lets media go there; `offer` '': the peer asks for ours. */
  describeAgain(current: string, offer: string): string | SdpFault {
    return this.#agreeable(current, offer, this.#local());
  }

  #agreeable(current: string, offer: string, local: LocalSession): string | SdpFault {
    // A session that nothing has described yet begins with what the peer offers.
    if (offer === '') return current === '' ? '' : offerAgain(current, local);
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
   * Starts or changes the streams as offer and answer say; the reason if they cannot be used. `awaitsConsent`: the peer may not be where its
   * offer says, and is sent little before `consented`.
   */
  agree(offer: string, answer: string, side: Side, awaitsConsent = false): string | null {
    if (this.#isWithoutMedia) return null;
    this.#awaitsConsent ||= awaitsConsent;
    const agreed = negotiated(offer, answer, side);
    if (isSdpFault(agreed)) return agreed.reason;
    const { dtmf, tracks } = this.#options.group;
    return (
      this.policy.forbids(agreed) ??
      // Digits that cannot be told are no test of digits.
      (dtmf && untold(agreed, dtmf.digits)) ??
      unplayableVideo(agreed, tracks, this.#streams) ??
      this.#tell(agreed)
    );
  }

  /** The peer has acknowledged what it was sent: it is there. */
  consented(): void {
    if (this.#awaitsConsent) for (const stream of this.#streams) stream.consent?.();
    this.#awaitsConsent = false;
  }

  /** Where its streams are sent to: as was agreed on, and where they have turned to sources that they heard. */
  get remoteAddresses(): readonly string[] {
    const followed = this.#streams.map((stream) => stream.followedAddress?.() ?? null);
    return [...this.#agreed.map((one) => one?.address ?? null), ...followed].filter((one) => one !== null);
  }

  /** Presses the keys of the group, if it has any. */
  sendDigits(): void {
    const { dtmf } = this.#options.group;
    if (dtmf !== null) this.pressKeys(dtmf.digits, dtmf.onMs, dtmf.offMs);
  }

  /** Presses keys (RFC 4733); why they cannot be. */
  pressKeys(digits: string, onMs = KEY_MS, offMs = KEY_MS): string | null {
    const audio = this.#audio;
    const agreed = this.#agreed[audio] ?? null;
    if (agreed === null) return 'there is no audio stream';
    if (!sends(agreed.direction)) return 'the audio stream does not send';
    const problem = untold([agreed], digits);
    if (problem === null) this.#streams[audio]?.sendDigits?.(digits, onMs, offMs);
    return problem;
  }

  /** Digits that came by RTP, the first 32. */
  receivedDigits(): readonly string[] {
    return this.#streams[this.#audio]?.digits?.().map(({ digit }) => digit) ?? [];
  }

  /** A key that went by INFO is one digit like those of RFC 4733. */
  noteDigit(way: 'SENT' | 'RECEIVED', digit: string, durationMs: number): void {
    this.#streams[this.#audio]?.noteDigit?.(way, digit, durationMs);
  }

  /** `receivedDigits` holds what `noteDigit` was told of. */
  get countsSignalled(): boolean {
    return this.#streams[this.#audio]?.noteDigit !== undefined;
  }

  /** Nothing is sent, wherever the peer wants it. */
  get #isWithoutMedia(): boolean {
    return this.#options.group.withoutMedia !== null;
  }

  get #isWithoutSdp(): boolean {
    return this.#options.group.withoutMedia?.sdp === 'NONE';
  }

  get #audio(): number {
    return this.#options.group.tracks.findIndex(({ kind }) => kind === 'AUDIO');
  }

  /** What a step makes us want of the session from now on; how to want it no more. Null: nothing new. */
  want(step: StepPlan): (() => void) | null {
    const before = this.#holds;
    if (step.do === 'HOLD' || step.do === 'RESUME' || step.do === 'ATTENDED_TRANSFER') {
      this.#holds = step.do !== 'RESUME';
      return () => {
        this.#holds = before;
      };
    }
    if (step.do !== 'ACTIVATE_TRACK') return null;
    this.#activated ??= new Set();
    this.#activated.add(step.track);
    this.#back = step.track;
    return () => {
      this.#activated?.delete(step.track);
      this.#back = null;
    };
  }

  /** What the session that was agreed on lacks of what a step wanted. */
  missed(step: StepPlan): string | null {
    if (step.do !== 'ACTIVATE_TRACK') return null;
    this.#back = null;
    const agreed = this.#agreed[this.#options.group.tracks.findIndex(({ kind }) => kind === step.track)] ?? null;
    return agreed === null || agreed.direction === 'inactive' ? 'the far end did not take up the stream' : null;
  }

  offerAgain(current: string): string | SdpFault {
    return offerAgain(current, this.#local(), this.#back);
  }

  /** The call is up. */
  connected(): void {
    this.#isUp = true;
    this.#expect();
  }

  /** Streams that were started. */
  get started(): number {
    return this.#agreed.filter((one) => one !== null).length;
  }

  /** Media are owed where the session lets the far end send, unless it holds the call, by its own word or by ours. */
  #expect(): void {
    if (!this.#isUp) return;
    for (const [i, stream] of this.#streams.entries()) {
      const named = this.#named[i] ?? null;
      if (named !== null && maySend(named)) this.#flowed |= 1 << i;
      const owed = named !== null && receives(named.direction) && !this.#isHeldOn(i, named);
      if ((this.#owed[i] ?? false) === owed) continue;
      this.#owed[i] = owed;
      stream.expectMedia?.(owed);
    }
  }

  /** It lets us send no more, or names no address (RFC 3264, 8.4). A far end that never let us is one that only plays something. */
  #isHeldOn(i: number, named: NegotiatedStream): boolean {
    return sends(this.#wanted(i)) && !maySend(named) && ((this.#flowed & (1 << i)) !== 0 || named.address === null);
  }

  /**
   * The far end lets us send nothing on any stream that wants to: it holds the call (RFC 3264, 8.4). One that waits to be activated at
   * its end, beside others that flow, is no hold.
   */
  get isHeld(): boolean {
    const wanting = this.#named.filter((named, i) => named !== null && sends(this.#wanted(i)));
    return wanting.length > 0 && wanting.every((named) => named !== null && !maySend(named));
  }

  /** The direction that we want of a stream now. */
  #wanted(i: number): Direction {
    const track = this.#options.group.tracks[i];
    return track === undefined ? 'inactive' : wantedDirection(track, this.#activated, this.#holds);
  }

  /** Arrival of the first packet on any stream; null: none has come. */
  firstPacketAtMs(): number | null {
    const arrivals = this.#streams.map((stream) => stream.firstPacketAtMs()).filter((at) => at !== null);
    return arrivals.length === 0 ? null : Math.min(...arrivals);
  }

  /** Why media could not go in a call that has been up for so long; null: ICE has found a way, or was not agreed on. */
  iceFailure(upMs: number): string | null {
    return this.#isClosed ? null : iceFailureOf(this.#streams, upMs);
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) stream.close();
  }

  /** `shares`: with the transport of another stream where that was agreed on. */
  #local(shares = true): LocalSession {
    this.#session ??= localSession(this.#options);
    const all = this.#session.streams;
    const streams = all.map((one, i) => {
      const { security = null } = this.#agreed[i] ?? {};
      const carrier = shares ? carrierOf(i, this.#named[i] ?? null, this.#streams) : i;
      const placed = opened({ ...one, ice: all[carrier]?.ice ?? null }, this.#streams[carrier], this.#options.address);
      // Each stream keeps the role of its own handshake (RFC 8842, 5.5).
      return { ...placed, direction: this.#wanted(i), dtlsRole: security?.mode === 'DTLS' ? security.role : null };
    });
    return { ...this.#session, feedbackProfile: this.#feedbackProfile, streams };
  }

  /** The session with the peer that `offerElsewhere` is for, as we want it now. */
  #elsewhere(): LocalSession {
    const next = this.#next ?? this.#local(false);
    return { ...next, streams: next.streams.map((one, i) => ({ ...one, direction: this.#wanted(i) })) };
  }

  /** Nothing is told twice: most later offers only refresh the session. A stream that is no longer agreed on pauses. */
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
      // An association ends with the stream's place (RFC 8842, 5.2): what comes back shakes hands again.
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
    this.#expect();
    return null;
  }
}
