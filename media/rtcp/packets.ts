/** RTCP packets as they are decoded (RFC 3550, 6.4 to 6.6). */
import type { ExtendedReport } from './extended-report.ts';

export const SENDER_REPORT = 200;
export const RECEIVER_REPORT = 201;
export const SOURCE_DESCRIPTION = 202;
export const BYE_PACKET = 203;

/** SDES item types; every compound packet has CNAME (6.5.1). */
export const SDES_CNAME = 1;

/** One report block: what its sender received from `ssrc`. `jitter` is in that source's timestamp units, `dlsr` in 1/65536 s. */
export type ReportBlock = {
  readonly ssrc: number;
  /** 256ths of the packets expected since the last report. */
  readonly fractionLost: number;
  /** Signed: duplicates make it negative. */
  readonly cumulativeLost: number;
  readonly highestSequence: number;
  readonly jitter: number;
  readonly lsr: number;
  readonly dlsr: number;
};

export type SenderReport = {
  readonly kind: 'SR';
  readonly ssrc: number;
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
  readonly rtpTimestamp: number;
  readonly packets: number;
  /** The octets of the payload only. */
  readonly octets: number;
  readonly blocks: readonly ReportBlock[];
};

export type ReceiverReport = { readonly kind: 'RR'; readonly ssrc: number; readonly blocks: readonly ReportBlock[] };

export type SourceDescription = {
  readonly kind: 'SDES';
  readonly chunks: readonly { readonly ssrc: number; readonly cname: string | null }[];
};

export type ByePacket = { readonly kind: 'BYE'; readonly ssrcs: readonly number[]; readonly reason: string };

/** A type that is not read here (APP, feedback): skipped by its length. */
export type OtherRtcp = { readonly kind: 'OTHER'; readonly packetType: number };

export type RtcpPacket = SenderReport | ReceiverReport | SourceDescription | ByePacket | ExtendedReport | OtherRtcp;
