/** What a called peer does with a call: what it agrees on, what it sends when, what it reports, how the call ends for it. */
import type { AnswerTerms, Direction } from './sdp.ts';

/** One RTP packet. Numbers and timestamps count from 0 and are added to the stream's own, close to where both wrap. */
export type PlannedPacket = {
  /** From the ACK, or from the 183 if there is early media. */
  readonly atMs: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly payloadType: number;
  readonly payload: Uint8Array;
  readonly marker?: boolean;
  /** Another SSRC for each number; absent: 0. */
  readonly source?: number;
  /** Sent from a port that no description names. */
  readonly fromElsewhere?: boolean;
};
/** In the order of sending. */
export type Plan = readonly PlannedPacket[];

export type Behaviour = {
  readonly answer?: AnswerTerms;
  /** The described media port is closed. */
  readonly closedPort?: boolean;
  /** ECHO: what comes, under its own SSRC. */
  readonly sends: Plan | 'ECHO';
  /**
   * By RTCP, every second: it hears what it hears; it hears nothing; absent: no reports. HEARS_UNTIL: after so long it hears no more, and
   * says so.
   */
  readonly reports?: 'HEARS' | 'HEARS_NOTHING' | { readonly hearsUntilMs: number };
  /** It rings so long; absent: it answers at once. */
  readonly answersAfterMs?: number;
  /** It says 183 with its description, and what it sends begins there. */
  readonly earlyMedia?: boolean;
  readonly hangsUp?: { readonly afterMs: number; readonly reason?: string };
  /** From then on it knows nothing of the call, and what it sends goes on. */
  readonly forgetsAfterMs?: number;
  /** What it answers REFER with, and the status lines that it tells after that, each in a NOTIFY; it calls nobody. Absent: 200 and no more. */
  readonly referred?: { readonly status: number; readonly reason: string; readonly told: readonly string[] };
  /** Re-INVITE: hold, and resume. What it sends it does not send meanwhile. */
  readonly holds?: { readonly fromMs: number; readonly untilMs: number; readonly direction: Direction };
};

/** Of a user: the same for each of its calls, or by the number of the call, from 0. */
export type Choice = Behaviour | ((call: number) => Behaviour);
