/**
 * Servers that did not answer (timer B or F, the transport) while others can replace them (RFC 3263, 4.3): the request
 * that finds one silent waits 32 s, and later ones need not. One request in five minutes tries it again, to detect its
 * return.
 */
import type { SipTarget } from '../engine.ts';
import { keyOf } from './set-aside.ts';

const REST_MS = 300_000;
const MAX_SERVERS = 1000;

export class SilentServers {
  /** When each is tried again. */
  readonly #askAgainMs = new Map<string, number>();

  put(target: SipTarget, nowMs: number): void {
    const key = keyOf(target);
    if (this.#askAgainMs.size < MAX_SERVERS || this.#askAgainMs.has(key)) this.#askAgainMs.set(key, nowMs + REST_MS);
  }

  /** It answers. */
  heard(target: SipTarget): void {
    if (this.#askAgainMs.size > 0) this.#askAgainMs.delete(keyOf(target));
  }

  /**
   * The same targets, silent ones last; a server whose pause has ended is tried by this request only, and then paused
   * again.
   */
  order(targets: readonly SipTarget[], nowMs: number): readonly SipTarget[] {
    if (this.#askAgainMs.size === 0 || targets.length < 2) return targets;
    const aside = targets.filter((target) => this.#rests(keyOf(target), nowMs));
    return aside.length === 0 ? targets : [...targets.filter((target) => !aside.includes(target)), ...aside];
  }

  #rests(key: string, nowMs: number): boolean {
    const askAgainMs = this.#askAgainMs.get(key);
    if (askAgainMs === undefined) return false;
    if (nowMs < askAgainMs) return true;
    this.#askAgainMs.set(key, nowMs + REST_MS);
    return false;
  }
}
