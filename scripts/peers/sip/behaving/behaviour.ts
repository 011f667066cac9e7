/** How a called peer behaves in a call: what it negotiates, what it sends when, what it reports, how the call ends. */
import type { AnswerTerms, MediaDirection } from './sdp.ts';

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
  /** Sent from a port that is in no description. */
  readonly fromElsewhere?: boolean;
};
/** In the order of sending. */
export type Plan = readonly PlannedPacket[];

export type Behaviour = {
  readonly answer?: AnswerTerms;
  /** The described media port is closed. */
  readonly closedPort?: boolean;
  /** ECHO: the received packets, with its own SSRC. */
  readonly sends: Plan | 'ECHO';
  /** By RTCP, every second: the real reception; no reception; absent: no reports. HEARS_UNTIL: after this time it reports no reception. */
  readonly reports?: 'HEARS' | 'HEARS_NOTHING' | { readonly hearsUntilMs: number };
  /** It rings this long; absent: it answers immediately. */
  readonly answersAfterMs?: number;
  /** It sends 183 with its description, and its media begin there. */
  readonly earlyMedia?: boolean;
  /** After the ACK: after this time, or when that happens. */
  readonly hangsUp?: ({ readonly afterMs: number } | { readonly when: Promise<unknown> }) & {
    readonly reason?: string;
  };
  /** From then on it does not know the call, but continues to send. */
  readonly forgetsAfterMs?: number;
  /** Its answer to REFER, and the status lines of the following NOTIFYs; it calls no one. Absent: 200 and no more. */
  readonly referred?: { readonly status: number; readonly reason: string; readonly told: readonly string[] };
  /** Re-INVITE: hold, and resume. In between it sends no media. */
  readonly holds?: { readonly fromMs: number; readonly untilMs: number; readonly direction: MediaDirection };
};

/** Of a user: the same for each of its calls, or by the number of the call, from 0. */
export type BehaviourChoice = Behaviour | ((call: number) => Behaviour);
