/** The RTCP that a peer needs to report its reception, written and read separately (RFC 3550, 6.4). */

/** What is known of the other end's stream. */
export type ReportedSource = {
  readonly ssrc: number;
  readonly highest: number;
  /** Its last sender report: the middle of its NTP time, and its arrival, Unix ms; null: none. */
  readonly report: { readonly middle: number; readonly atMs: number } | null;
};

export type Reporter = {
  readonly ssrc: number;
  /** Null: it sends no media, and writes receiver reports. */
  readonly sends: { readonly timestamp: number; readonly packets: number; readonly octets: number } | null;
  /** Null: it receives no media. */
  readonly hears: ReportedSource | null;
};

const SENDER = 200;
const RECEIVER = 201;
const SOURCE = 202;
/** From 1900 to 1970. */
const NTP_OFFSET_S = 2_208_988_800;

/** A report and the canonical name, in one compound. */
export function writeReport({ ssrc, sends, hears }: Reporter, unixMs: number): Buffer {
  const bytes = Buffer.alloc(8 + (sends ? 20 : 0) + (hears ? 24 : 0) + 20);
  const length = bytes.length - 20;
  bytes.writeUInt8(0x80 | (hears ? 1 : 0), 0);
  bytes.writeUInt8(sends ? SENDER : RECEIVER, 1);
  bytes.writeUInt16BE(length / 4 - 1, 2);
  bytes.writeUInt32BE(ssrc, 4);
  if (sends) {
    bytes.writeUInt32BE(Math.floor(unixMs / 1000) + NTP_OFFSET_S, 8);
    bytes.writeUInt32BE(Math.floor(((unixMs % 1000) / 1000) * 2 ** 32), 12);
    bytes.writeUInt32BE(sends.timestamp, 16);
    bytes.writeUInt32BE(sends.packets, 20);
    bytes.writeUInt32BE(sends.octets, 24);
  }
  if (hears) {
    const at = length - 24;
    bytes.writeUInt32BE(hears.ssrc, at);
    bytes.writeUInt32BE(hears.highest >>> 0, at + 8);
    bytes.writeUInt32BE(hears.report?.middle ?? 0, at + 16);
    const sinceMs = hears.report ? unixMs - hears.report.atMs : 0;
    bytes.writeUInt32BE(Math.max(0, Math.round((sinceMs / 1000) * 65_536)), at + 20);
  }
  bytes.writeUInt8(0x81, length);
  bytes.writeUInt8(SOURCE, length + 1);
  bytes.writeUInt16BE(4, length + 2);
  bytes.writeUInt32BE(ssrc, length + 4);
  bytes.writeUInt8(1, length + 8);
  bytes.writeUInt8(8, length + 9);
  bytes.write('behaving', length + 10);
  return bytes;
}

/** The middle of the NTP time of a sender report at the start of the datagram; null: there is none. */
export const senderReportMiddle = (bytes: Buffer): number | null =>
  bytes.length >= 28 && bytes.readUInt8(1) === SENDER ? bytes.readUInt32BE(10) : null;
