/** The result of ICE on a row. */
import { CANDIDATE_TYPES, type CandidateType } from '@carillon/media/ice/candidate.ts';
import { ICE_STATES, type IceState, readIceAddress, type StreamMemoryColumns } from './stream-memory.ts';

export type IceRecord = {
  readonly state: IceState;
  /** The local type of the pair that carried media last; null: no pair was valid. */
  readonly localType: CandidateType | null;
  readonly remoteType: CandidateType | null;
  /** Our address as the peer sees it, `address:port`; '': no pair was valid. */
  readonly local: string;
  /** The time from its start to the first valid pair; NaN: no pair was valid. */
  readonly connectMs: number;
};

export function iceRecord(c: StreamMemoryColumns, row: number): IceRecord | null {
  const state = ICE_STATES[c.iceState[row]!]!;
  if (state === 'NONE') return null;
  const typeOf = (number: number): CandidateType | null => CANDIDATE_TYPES[number - 1] ?? null;
  const address = readIceAddress(c, row);
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    state,
    localType: typeOf(c.iceLocalType[row]!),
    remoteType: typeOf(c.iceRemoteType[row]!),
    local: address === '' ? '' : `${host}:${c.iceLocalPort[row]!}`,
    connectMs: address === '' ? Number.NaN : c.iceConnectMs[row]!,
  };
}
