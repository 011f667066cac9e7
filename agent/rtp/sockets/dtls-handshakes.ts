/**
 * The handshakes of one media thread. A step takes about 0.1 to 0.5 ms of cryptography, and packets of other streams
 * are due every millisecond: datagrams wait in a queue, and a turn handles only a share of them.
 */

import type { DtlsContext, DtlsHandshake, DtlsKeys, DtlsRole } from '../../net/ciphers/dtls.ts';
import { judgeDatagram } from '../../net/ciphers/dtls-records.ts';
import type { Fingerprint } from '../media-engine.ts';

/** The share of a turn of 1 ms, in ms; at least one step is taken. */
const SHARE_MS = 0.3;
/** The peer repeats datagrams that would wait longer. */
const MAX_WAITING = 4096;
/** The limit per association: more datagrams than a flight has. A flood blocks only its own association. */
const MAX_WAITING_EACH = 16;
/** Handled datagrams are released in blocks of at least this size. */
const RELEASED_AT_ONCE = 64;
/** Flights are repeated after 1, 2, 4 … s (RFC 6347, 4.2.4.1). */
const TIMER_TURN_MS = 50;
/** The caller has hung up by then. */
const GIVE_UP_MS = 30_000;
/** The server repeats its last flight for this long, in case the peer has not received it. */
const LINGER_MS = 10_000;

/**
 * Without keys a forged record cannot be distinguished from the peer's, and a single one ends an OpenSSL association.
 * It is restarted up to this many times; the first restart sends nothing, because it would make a healthy peer fail.
 * Later ones send the alert, so that the peer restarts as well.
 */
const MAX_RESTARTS = 3;
/** An alert may be forged too: it counts if the handshake makes no progress for this long. */
const ALERT_BELIEVED_MS = 1000;

export type HandshakeFailure = 'FINGERPRINT_MISMATCH' | 'NO_SRTP_PROFILE' | 'HANDSHAKE_FAILED' | 'HANDSHAKE_TIMEOUT';

export type HandshakeEvents = {
  readonly nowMs: () => number;
  readonly send: (socket: number, datagram: Uint8Array) => void;
  readonly onKeys: (socket: number, keys: DtlsKeys, tookMs: number) => void;
  readonly onFailure: (socket: number, failure: HandshakeFailure) => void;
};

type Association = {
  readonly socket: number;
  handshake: DtlsHandshake;
  restarts: number;
  /** 0: no alert has arrived. */
  alertedAtMs: number;
  readonly fingerprints: readonly Fingerprint[];
  readonly startedAtMs: number;
  endedAtMs: number;
  waiting: number;
};

/** Datagrams that wait for a client's handshake are useless to the next one: they are signed for another hello. */
type Step = {
  readonly association: Association;
  readonly handshake: DtlsHandshake;
  readonly datagram: Uint8Array | null;
};

export class DtlsHandshakes {
  readonly #context: DtlsContext;
  readonly #events: HandshakeEvents;
  readonly #associations = new Map<number, Association>();
  #waiting: Step[] = [];
  #taken = 0;
  #timersAtMs = 0;
  /** Associations not yet visited in the current round of timers. */
  #unwatched: Iterator<Association> | null = null;

  constructor(context: DtlsContext, events: HandshakeEvents) {
    this.#context = context;
    this.#events = events;
  }

  /** Datagrams copied but not yet released. */
  get kept(): number {
    return this.#waiting.length;
  }

  /** Starts a handshake on a connected socket; an unfinished one is given up. */
  start(socket: number, role: DtlsRole, fingerprints: readonly Fingerprint[]): void {
    this.stop(socket);
    let handshake: DtlsHandshake;
    try {
      handshake = this.#context.handshake(role);
    } catch {
      this.#events.onFailure(socket, 'HANDSHAKE_FAILED');
      return;
    }
    const fresh = { restarts: 0, alertedAtMs: 0, startedAtMs: this.#events.nowMs(), endedAtMs: 0, waiting: 0 };
    const association: Association = { socket, handshake, fingerprints, ...fresh };
    this.#associations.set(socket, association);
    if (role === 'CLIENT') this.#wait(association, null);
  }

  stop(socket: number): void {
    this.#associations.get(socket)?.handshake.close();
    this.#associations.delete(socket);
  }

  /** Copies a datagram of the peer for a later turn. */
  take(socket: number, bytes: Uint8Array, length: number): void {
    const association = this.#associations.get(socket);
    if (!association || association.waiting >= MAX_WAITING_EACH) return;
    if (this.#waiting.length - this.#taken >= MAX_WAITING) return;
    if (association.handshake.established || this.#admit(association, bytes.subarray(0, length)))
      this.#wait(association, bytes.slice(0, length));
  }

  #wait(association: Association, datagram: Uint8Array | null): void {
    association.waiting += 1;
    this.#waiting.push({ association, handshake: association.handshake, datagram });
  }

  turn(): void {
    if (this.#waiting.length === 0 && this.#associations.size === 0) return;
    const beganMs = this.#events.nowMs();
    let nowMs = beganMs;
    while (this.#taken < this.#waiting.length && nowMs - beganMs <= SHARE_MS) {
      const { association, handshake, datagram } = this.#waiting[this.#taken++]!;
      association.waiting -= 1;
      this.#step(association, handshake, datagram);
      nowMs = this.#events.nowMs();
    }
    const left = this.#waiting.length - this.#taken;
    if (left === 0 || this.#taken >= Math.max(left, RELEASED_AT_ONCE)) {
      this.#waiting.splice(0, this.#taken);
      this.#taken = 0;
    }
    this.#watchSome(beganMs);
  }

  /** Runs timers within the time of this turn, at least one. */
  #watchSome(beganMs: number): void {
    let nowMs = this.#events.nowMs();
    if (this.#unwatched === null) {
      if (nowMs < this.#timersAtMs) return;
      this.#timersAtMs = nowMs + TIMER_TURN_MS;
      this.#unwatched = this.#associations.values();
    }
    do {
      const next = this.#unwatched.next();
      if (next.done) {
        this.#unwatched = null;
        return;
      }
      this.#watch(next.value, nowMs);
      nowMs = this.#events.nowMs();
    } while (nowMs - beganMs <= SHARE_MS);
  }

  #step(association: Association, begunFor: DtlsHandshake, datagram: Uint8Array | null): void {
    const { handshake, socket } = association;
    // The association was given up, or restarted, while the datagram waited.
    if (this.#associations.get(socket) !== association) return;
    if (handshake !== begunFor && handshake.role === 'CLIENT') return;
    const before = handshake.established;
    handshake.step(datagram);
    const failed = handshake.failure !== null;
    if (!failed || association.restarts > 0) handshake.flush((flight) => this.#events.send(socket, flight));
    if (failed) this.#restart(association);
    else if (!before && handshake.established) this.#conclude(association);
  }

  #admit(association: Association, datagram: Uint8Array): boolean {
    const judgement = judgeDatagram(datagram);
    if (judgement === 'ALERT' && association.alertedAtMs === 0) association.alertedAtMs = this.#events.nowMs();
    return judgement === 'TAKEN';
  }

  #restart(association: Association): void {
    const { handshake } = association;
    if (association.restarts === MAX_RESTARTS) {
      this.#fail(association, 'HANDSHAKE_FAILED');
      return;
    }
    try {
      association.handshake = this.#context.handshake(handshake.role);
    } catch {
      this.#fail(association, 'HANDSHAKE_FAILED');
      return;
    }
    handshake.close();
    association.restarts += 1;
    association.alertedAtMs = 0;
    if (handshake.role === 'CLIENT') this.#wait(association, null);
  }

  /** The peer's fingerprint must be the one in the SDP (RFC 5763, 5). */
  #conclude(association: Association): void {
    const { handshake, socket, fingerprints, startedAtMs } = association;
    association.endedAtMs = this.#events.nowMs();
    const known = fingerprints.some(({ hash, value }) => handshake.peerFingerprint(hash) === value.toUpperCase());
    const keys = known ? handshake.keys() : null;
    if (!known) this.#fail(association, 'FINGERPRINT_MISMATCH');
    else if (keys === null) this.#fail(association, 'NO_SRTP_PROFILE');
    else this.#events.onKeys(socket, keys, association.endedAtMs - startedAtMs);
  }

  #watch(association: Association, nowMs: number): void {
    const { handshake, socket, startedAtMs, endedAtMs, alertedAtMs } = association;
    if (endedAtMs > 0) {
      if (handshake.role === 'CLIENT' || nowMs > endedAtMs + LINGER_MS) this.stop(socket);
      return;
    }
    if (alertedAtMs > 0 && nowMs > alertedAtMs + ALERT_BELIEVED_MS) {
      this.#restart(association);
      return;
    }
    if (handshake.tick()) handshake.flush((flight) => this.#events.send(socket, flight));
    if (handshake.failure !== null || nowMs > startedAtMs + GIVE_UP_MS)
      this.#fail(association, association.restarts > 0 ? 'HANDSHAKE_FAILED' : 'HANDSHAKE_TIMEOUT');
  }

  #fail({ socket }: Association, failure: HandshakeFailure): void {
    this.stop(socket);
    this.#events.onFailure(socket, failure);
  }
}
