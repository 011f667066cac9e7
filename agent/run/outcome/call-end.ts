/**
 * The end of one endpoint's call, from its first answer to its last event. Instants are on the agent's clock; null: not reached.
 */
import type { ByeDetails, Explanation, SipFailure } from '../../sip/engine.ts';
import type { CallEvidence, TransferFailure } from '../report/facts.ts';

/** What the end takes from the messages of the call. */
type EndEvidence = Pick<CallEvidence, 'sentAgain' | 'cameAgain' | 'unacknowledged' | 'peerAddress'>;

/** NaN if one of the instants was not reached. */
export const spanMs = (fromMs: number | null, toMs: number | null): number =>
  fromMs === null || toMs === null ? Number.NaN : toMs - fromMs;

export class CallEnd {
  protected firstMediaAtMs: number | null = null;
  protected byeAtMs: number | null = null;
  #connectedAtMs: number | null = null;
  #byeRttMs: number | null = null;
  #endedBy: 'LOCAL' | 'REMOTE' | '' = '';
  #explanation: Explanation | null = null;
  #bye: ByeDetails | null = null;
  #hasReferred = false;
  #transfer: CallEvidence['transfer'] = null;
  #mediaEndedAtMs: number | null = null;

  /** NaN: the call was never established. */
  get connectedAtMs(): number {
    return this.#connectedAtMs ?? Number.NaN;
  }

  /** The call is established: media are expected from here on. */
  connected(atMs: number): void {
    this.#connectedAtMs = atMs;
  }

  /** The first instant counts. `firstPacketAtMs`: null: no packet arrived. */
  mediaEnded(atMs: number, firstPacketAtMs: number | null): void {
    this.firstMediaAtMs = firstPacketAtMs;
    this.#mediaEndedAtMs ??= atMs;
  }

  /** The peer was asked to call another target. */
  referred(): void {
    this.#hasReferred = true;
  }

  /** The first failure counts. */
  transferFailed(failure: TransferFailure, detail: string): void {
    this.#transfer ??= { failure, detail };
  }

  failed({ explanation }: SipFailure): void {
    this.#explanation ??= explanation ?? null;
  }

  ended(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, bye: ByeDetails | undefined): void {
    this.#endedBy = by;
    this.byeAtMs = byeAtMs;
    if (by === 'LOCAL') this.#byeRttMs = endedAtMs - byeAtMs;
    this.#bye = bye ?? null;
    this.#explanation ??= bye?.explanation ?? null;
  }

  /** The facts for the outcome; findings are added when the last figures of its streams have been read (open-ends.ts). */
  facts(traffic: EndEvidence, streams: number) {
    return {
      byeRttMs: this.#byeRttMs ?? Number.NaN,
      endedBy: this.#endedBy,
      explanation: this.#explanation,
      evidence: this.#evidence(traffic, streams),
      findings: [],
      awaitedMs: Number.NaN,
      absentMs: Number.NaN,
      pausedMs: Number.NaN,
      unreported: false,
    };
  }

  /** Null: the call was never established. */
  #evidence(traffic: EndEvidence, streams: number): CallEvidence | null {
    if (this.#connectedAtMs === null) return null;
    const { sentAgain, cameAgain, unacknowledged, peerAddress } = traffic;
    return {
      talkMs: Math.max(0, spanMs(this.#connectedAtMs, this.#mediaEndedAtMs)),
      endedBy: this.#endedBy,
      unansweredBye: this.#bye?.unanswered ?? '',
      byeStatus: this.#bye?.byeStatus ?? 0,
      q850: this.#endedBy === 'REMOTE' ? (this.#bye?.explanation?.q850 ?? null) : null,
      hasReferred: this.#hasReferred,
      transfer: this.#transfer,
      sentAgain,
      cameAgain,
      unacknowledged,
      peerAddress,
      streams,
    };
  }
}
