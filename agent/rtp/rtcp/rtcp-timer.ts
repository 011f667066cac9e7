/**
 * The schedule of reports: RFC 3550, 6.2 and 6.3, for a session of two. A member that was not heard for five
 * deterministic intervals is gone (6.3.5), one that has sent nothing since the report before the last is not a sender
 * (6.3.8), the timer is reconsidered when it expires (6.3.6) and when the other end sends BYE (6.3.4).
 */
import {
  averageRtcpBytes,
  deterministicIntervalMs,
  type RtcpSession,
  reportIntervalMs,
} from '@carillon/media/rtcp/interval.ts';
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { RTP_HEADER_BYTES } from '@carillon/media/rtp/header.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';

/** IPv4 and UDP headers count as bandwidth (RFC 3550, 6.2). */
const IP_UDP_BYTES = 28;
const BANDWIDTH_SHARE = 0.05;
/** The first guess at a compound packet's size, as in A.7. */
const FIRST_AVERAGE_BYTES = 120;
/** A number of deterministic intervals (6.3.5). */
const MEMBER_TIMEOUT = 5;
/** Unknown rates are estimated: 64 kbit/s of audio. */
const OCTETS_PER_MS = 8;

const TIMER_COLUMNS = {
  previousAtMs: 'f64', // tp
  nextAtMs: 'f64', // tn
  averageBytes: 'f64',
  initial: 'u8',
  heardAtMs: 'f64', // the other end's last RTCP; -Infinity: none, or it has sent BYE
  sentBefore: 'u32', // packets at our last report
  sentBeforeThat: 'u32',
  heardBefore: 'u32', // packets of the other end at our last report
  heardBeforeThat: 'u32',
} as const;

export class RtcpTimer {
  readonly #memory: MediaMemory;
  readonly #minimumMs: number;
  readonly #random: () => number;
  readonly #columns;

  constructor(memory: MediaMemory, minimumMs: number, random: () => number) {
    this.#memory = memory;
    this.#minimumMs = minimumMs;
    this.#random = random;
    const bytes = columnsBytes(TIMER_COLUMNS, memory.capacity);
    this.#columns = mapColumns(TIMER_COLUMNS, memory.capacity, new ArrayBuffer(bytes));
  }

  /** A new stream starts on the row. */
  begin(row: number): void {
    const c = this.#columns;
    c.averageBytes[row] = FIRST_AVERAGE_BYTES;
    c.initial[row] = 1;
    c.heardAtMs[row] = Number.NEGATIVE_INFINITY;
    for (const count of [c.sentBefore, c.sentBeforeThat, c.heardBefore, c.heardBeforeThat]) count[row] = 0;
  }

  start(row: number, nowMs: number): void {
    this.#columns.previousAtMs[row] = nowMs;
    this.#columns.nextAtMs[row] = nowMs + this.#intervalMs(row, nowMs);
  }

  /** True if a report is to be sent now. If the interval has grown in the meantime, the timer is set again (6.3.6). */
  isDue(row: number, nowMs: number): boolean {
    const c = this.#columns;
    if (nowMs < c.nextAtMs[row]!) return false;
    c.nextAtMs[row] = c.previousAtMs[row]! + this.#intervalMs(row, nowMs);
    return nowMs >= c.nextAtMs[row]!;
  }

  /** A report of `bytes` bytes was sent. */
  noteSent(row: number, bytes: number, nowMs: number): void {
    const c = this.#columns;
    c.averageBytes[row] = averageRtcpBytes(c.averageBytes[row]!, bytes + IP_UDP_BYTES);
    c.initial[row] = 0;
    c.sentBeforeThat[row] = c.sentBefore[row]!;
    c.sentBefore[row] = this.#memory.streams.packetsSent[row]!;
    c.heardBeforeThat[row] = c.heardBefore[row]!;
    c.heardBefore[row] = this.#memory.received.packets[row]!;
    c.previousAtMs[row] = nowMs;
    c.nextAtMs[row] = nowMs + this.#intervalMs(row, nowMs);
  }

  /** Feedback of `bytes` bytes was sent between reports: it counts in the mean size, and moves no report. */
  noteFeedback(row: number, bytes: number): void {
    this.#columns.averageBytes[row] = averageRtcpBytes(this.#columns.averageBytes[row]!, bytes + IP_UDP_BYTES);
  }

  noteReceived(row: number, bytes: number, atMs: number): void {
    this.#columns.heardAtMs[row] = atMs;
    this.#columns.averageBytes[row] = averageRtcpBytes(this.#columns.averageBytes[row]!, bytes + IP_UDP_BYTES);
  }

  /** The other end has left: one of two members remains, and the next report is sent in half the time (6.3.4). */
  noteBye(row: number, nowMs: number): void {
    const c = this.#columns;
    if (c.heardAtMs[row] === Number.NEGATIVE_INFINITY) return;
    c.heardAtMs[row] = Number.NEGATIVE_INFINITY;
    c.nextAtMs[row] = nowMs + Math.max(0, c.nextAtMs[row]! - nowMs) / 2;
    c.previousAtMs[row] = nowMs - Math.max(0, nowMs - c.previousAtMs[row]!) / 2;
  }

  /** Whether we have sent since the report before the last (6.4). */
  weSent(row: number): boolean {
    return this.#memory.streams.packetsSent[row]! > this.#columns.sentBeforeThat[row]!;
  }

  #theySent(row: number): boolean {
    return this.#memory.received.packets[row]! > this.#columns.heardBeforeThat[row]!;
  }

  /** The number of members of the session, including us. */
  members(row: number, nowMs: number): number {
    // The deterministic interval of two members, never the initial one (6.3.5).
    const timeoutMs = MEMBER_TIMEOUT * deterministicIntervalMs({ ...this.#session(row, 2), initial: false });
    return this.#theySent(row) || nowMs - this.#columns.heardAtMs[row]! < timeoutMs ? 2 : 1;
  }

  #session(row: number, members: number): RtcpSession {
    const weSent = this.weSent(row);
    const packetMs = this.#memory.streams.packetMs[row]!;
    const packetBytes = RTP_HEADER_BYTES + IP_UDP_BYTES + packetMs * OCTETS_PER_MS;
    return {
      members,
      senders: (weSent ? 1 : 0) + (members === 2 && this.#theySent(row) ? 1 : 0),
      weSent,
      averageBytes: this.#columns.averageBytes[row]!,
      rtcpBytesPerSecond: (packetBytes / packetMs) * 1000 * BANDWIDTH_SHARE,
      initial: this.#columns.initial[row] === 1,
      minimumMs: this.#minimumMs,
    };
  }

  #intervalMs(row: number, nowMs: number): number {
    return reportIntervalMs(this.#session(row, this.members(row, nowMs)), this.#random());
  }
}
