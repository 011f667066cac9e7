/** The timers of RFC 3261 (17, table 4) and RFC 6026 (7.1, 8.1), in milliseconds. */

export const T1_MS = 500;
export const T2_MS = 4000;
const T4_MS = 5000;

export type ClientTimer = 'TIMER_A' | 'TIMER_B' | 'TIMER_D' | 'TIMER_E' | 'TIMER_F' | 'TIMER_K' | 'TIMER_M';
export type ServerTimer = 'TIMER_G' | 'TIMER_H' | 'TIMER_I' | 'TIMER_J' | 'TIMER_L';
export type TimerName = ClientTimer | ServerTimer;

export type Timer = {
  /** RETRANSMIT fires repeatedly, TIMEOUT once. */
  readonly role: 'RETRANSMIT' | 'TIMEOUT';
  /** First interval over UDP. */
  readonly ms: number;
  /** The interval doubles up to this; equal to `ms` for a timeout. */
  readonly capMs: number;
  /** First interval over TCP, TLS and WebSocket; null: the timer does not run there. */
  readonly reliableMs: number | null;
};

const retransmit = (ms: number, capMs: number): Timer => ({ role: 'RETRANSMIT', ms, capMs, reliableMs: null });
const timeout = (ms: number, reliableMs: number): Timer => ({ role: 'TIMEOUT', ms, capMs: ms, reliableMs });

export const TIMERS: Readonly<Record<TimerName, Timer>> = {
  /** INVITE request re-sent; without a cap (17.1.1.2). */
  TIMER_A: retransmit(T1_MS, Number.POSITIVE_INFINITY),
  /** No response to INVITE. */
  TIMER_B: timeout(64 * T1_MS, 64 * T1_MS),
  /** Absorbs re-sent 3xx to 6xx responses to INVITE. */
  TIMER_D: timeout(32_000, 0),
  /** Retransmission of a non-INVITE request; every T2 after a provisional response (17.1.2.2). */
  TIMER_E: retransmit(T1_MS, T2_MS),
  /** No final response to a non-INVITE request. */
  TIMER_F: timeout(64 * T1_MS, 64 * T1_MS),
  /** 3xx to 6xx response to INVITE re-sent. */
  TIMER_G: retransmit(T1_MS, T2_MS),
  /** No ACK for a 3xx to 6xx response. */
  TIMER_H: timeout(64 * T1_MS, 64 * T1_MS),
  /** Absorbs re-sent ACKs. */
  TIMER_I: timeout(T4_MS, 0),
  /** Absorbs re-sent non-INVITE requests. */
  TIMER_J: timeout(64 * T1_MS, 0),
  /** Absorbs re-sent responses to a non-INVITE request. */
  TIMER_K: timeout(T4_MS, 0),
  /** Absorbs re-sent INVITEs after a 2xx (RFC 6026). */
  TIMER_L: timeout(64 * T1_MS, 64 * T1_MS),
  /** Passes re-sent and forked 2xx responses up (RFC 6026). */
  TIMER_M: timeout(64 * T1_MS, 64 * T1_MS),
};
