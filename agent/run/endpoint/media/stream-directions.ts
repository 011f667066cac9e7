/**
 * The directions of an endpoint's streams: what we want of each now, and on which of them the far end owes media. An
 * end that holds the call owes none (RFC 3264, 8.4).
 */
import type { NegotiatedStream } from '@carillon/media/sdp/negotiated.ts';
import { type Direction, receives, sends } from '@carillon/media/sdp/session-description.ts';
import type { MediaStream } from '../../../rtp/media-engine.ts';
import type { StepPlan, TrackPlan } from '../../plan.ts';
import { maySend } from './agreed-streams.ts';
import { wantedDirection } from './local-streams.ts';

/** The session's part for each stream of the group; null: the stream has none. */
type SessionStreams = readonly (NegotiatedStream | null)[];

export class StreamDirections {
  readonly #tracks: readonly TrackPlan[];
  #holds = false;
  #activated: Set<TrackPlan['kind']> | null = null;
  /** The kind of a stream without a position that is offered again. */
  #back: TrackPlan['kind'] | null = null;
  /** The call is established: the far end owes the media that the session lets it send. */
  #isUp = false;
  /** One bit for each stream that the session has let send during the call: if it no longer does, the far end holds. */
  #flowed = 0;
  /** The last expectation set for each stream, one bit each. */
  #owed = 0;

  constructor(tracks: readonly TrackPlan[]) {
    this.#tracks = tracks;
  }

  get back(): TrackPlan['kind'] | null {
    return this.#back;
  }

  /** The direction that we want of a stream now. */
  wanted(i: number): Direction {
    const track = this.#tracks[i];
    return track === undefined ? 'inactive' : wantedDirection(track, this.#activated, this.#holds);
  }

  /** Changes the wanted session for a step; returns how to revert it. Null: no change. */
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

  /** Which part of a step's request the negotiated session lacks. */
  missed(step: StepPlan, agreed: SessionStreams): string | null {
    if (step.do !== 'ACTIVATE_TRACK') return null;
    this.#back = null;
    const stream = agreed[this.#tracks.findIndex(({ kind }) => kind === step.track)] ?? null;
    return stream === null || stream.direction === 'inactive' ? 'the far end did not accept the stream' : null;
  }

  /** The call is established. */
  connected(streams: readonly MediaStream[], named: SessionStreams): void {
    this.#isUp = true;
    this.expect(streams, named);
  }

  /** Media are expected if the session lets the far end send, unless either end holds the call. */
  expect(streams: readonly MediaStream[], named: SessionStreams): void {
    if (!this.#isUp) return;
    for (const [i, stream] of streams.entries()) {
      const bit = 1 << i;
      const one = named[i] ?? null;
      if (one !== null && maySend(one)) this.#flowed |= bit;
      const owed = one !== null && receives(one.direction) && !this.#isHeldOn(i, one);
      if (((this.#owed & bit) !== 0) === owed) continue;
      this.#owed ^= bit;
      stream.expectMedia?.(owed);
    }
  }

  /**
   * The far end no longer lets us send, or names no address (RFC 3264, 8.4). A far end that never let us send only
   * plays something.
   */
  #isHeldOn(i: number, named: NegotiatedStream): boolean {
    return sends(this.wanted(i)) && !maySend(named) && ((this.#flowed & (1 << i)) !== 0 || named.address === null);
  }

  /**
   * The far end does not let us send on any stream: it holds the call (RFC 3264, 8.4). A stream that waits for
   * activation at its end, beside active ones, does not mean hold.
   */
  isHeld(named: SessionStreams): boolean {
    const wanting = named.filter((one, i) => one !== null && sends(this.wanted(i)));
    return wanting.length > 0 && wanting.every((one) => one !== null && !maySend(one));
  }
}
