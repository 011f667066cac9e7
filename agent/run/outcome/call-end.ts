/**
 * The end of one endpoint's call, from its first answer to its last event. Instants on the agent's clock; NaN: not
 * reached.
 */
import type { Explanation, Farewell, SipFailure } from '../../sip/engine.ts';
import type { CallEvidence } from '../report/facts.ts';

/** From its messages. */
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
  transfer: CallEvidence['transfer'] = null;
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
      transfer: this.transfer,
      sentAgain,
      cameAgain,
      unacknowledged,
      peerAddress,
      streams,
    };
  }
}
