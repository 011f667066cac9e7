/** How one endpoint's call ended, from its first answer to the last word about it. Instants on the agent's clock; NaN: not so far. */
import type { Explanation, Farewell, SipFailure } from '../../sip/engine.ts';

/** What findings are drawn from (call-findings.ts), beside the streams of the call; null: it was never up. */
export type CallEvidence = {
  /** From both ends having agreed on media to the end of the media. */
  readonly talkMs: number;
  readonly endedBy: 'LOCAL' | 'REMOTE' | '';
  /** Why our BYE was not answered; '': it was, or it was the peer's. */
  readonly unansweredBye: string;
  /** Final response to our BYE; 0: none. */
  readonly byeStatus: number;
  /** Cause that the far end's BYE named (RFC 3326); null: none. */
  readonly q850: number | null;
  /** We have asked the far end to call somebody else (RFC 3515). */
  readonly hasReferred: boolean;
  /** Messages sent again, and those that came again. */
  readonly sentAgain: number;
  readonly cameAgain: number;
  /** Status of a 2xx to INVITE that was not acknowledged: ours, or the peer's where negative; 0: none. */
  readonly unacknowledged: number;
  /** Where signalling went; '' nowhere. */
  readonly peerAddress: string;
  /** Streams that were started: so many records are to come. */
  readonly streams: number;
};

/** What its messages told. */
type Told = Pick<CallEvidence, 'sentAgain' | 'cameAgain' | 'unacknowledged' | 'peerAddress'>;

export class CallEnd {
  /** The call is up: its media are owed from here on. */
  connectedAtMs = Number.NaN;
  firstMediaAtMs: number | null = null;
  byeAtMs = Number.NaN;
  byeRttMs = Number.NaN;
  endedBy: 'LOCAL' | 'REMOTE' | '' = '';
  explanation: Explanation | null = null;
  farewell: Farewell | null = null;
  hasReferred = false;
  #mediaEndedAtMs = Number.NaN;

  /** The first time counts. */
  mediaEnded(atMs: number, firstPacketAtMs: number | null): void {
    this.firstMediaAtMs = firstPacketAtMs;
    if (Number.isNaN(this.#mediaEndedAtMs)) this.#mediaEndedAtMs = atMs;
  }

  failed({ explanation }: SipFailure): void {
    this.explanation ??= explanation ?? null;
  }

  ended(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, farewell: Farewell | undefined): void {
    this.endedBy = by;
    this.byeAtMs = byeAtMs;
    if (by === 'LOCAL') this.byeRttMs = endedAtMs - byeAtMs;
    this.farewell = farewell ?? null;
    this.explanation ??= farewell?.explanation ?? null;
  }

  /** As the outcome has it; findings are drawn when the last figures of its streams are there (open-ends.ts). */
  facts(traffic: Told, streams: number) {
    return {
      byeRttMs: this.byeRttMs,
      endedBy: this.endedBy,
      explanation: this.explanation,
      evidence: this.#evidence(traffic, streams),
      findings: [],
      awaitedMs: Number.NaN,
      absentMs: Number.NaN,
    };
  }

  /** Null: the call was never up. */
  #evidence(traffic: Told, streams: number): CallEvidence | null {
    if (Number.isNaN(this.connectedAtMs)) return null;
    const { sentAgain, cameAgain, unacknowledged, peerAddress } = traffic;
    return {
      talkMs: Math.max(0, this.#mediaEndedAtMs - this.connectedAtMs),
      endedBy: this.endedBy,
      unansweredBye: this.farewell?.unanswered ?? '',
      byeStatus: this.farewell?.byeStatus ?? 0,
      q850: this.endedBy === 'REMOTE' ? (this.farewell?.explanation?.q850 ?? null) : null,
      hasReferred: this.hasReferred,
      sentAgain,
      cameAgain,
      unacknowledged,
      peerAddress,
      streams,
    };
  }
}
