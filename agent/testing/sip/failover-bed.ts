/** A user agent on virtual time whose requests have several servers, which a locator of the test finds. */
import type { SipLocator, SipTarget } from '../../sip/engine.ts';
import { CallLog, responseTo, SDP, type SentMessage, VirtualEngine } from './virtual.ts';
import type { OwnedOptions } from './with-owner.ts';

export const at = (last: number, transport: SipTarget['transport'] = 'UDP'): SipTarget => ({
  transport,
  address: `192.0.2.${last}`,
  port: 5060,
});

export const TARGETS = [at(11), at(12), at(13)];

export const URI = 'sip:bob@pbx.example';

/** Answers when the test says so. */
export class CannedLocator implements SipLocator {
  readonly asked: string[] = [];
  found: Record<string, readonly SipTarget[] | string> = {};
  late = false;
  #waiting: (() => void)[] = [];
  locate(uri: string, done: (targets: readonly SipTarget[] | string) => void): void {
    this.asked.push(uri);
    const answer = (): void => done(this.found[uri] ?? `no server found for ${uri}: A: no records`);
    if (this.late) this.#waiting.push(answer);
    else answer();
  }
  answer(): void {
    for (const one of this.#waiting.splice(0)) one();
  }
}

export class FailoverLog extends CallLog {
  onLocated(tookMs: number): void {
    this.events.push(`located ${tookMs}`);
  }
  onFailover(method: string, from: SipTarget, to: SipTarget, reason: string): void {
    this.events.push(`failover ${method} ${from.address} ${to.address}: ${reason}`);
  }
}

export function bed(options: Partial<OwnedOptions> = {}, forbidden: readonly string[] = []) {
  const locator = new CannedLocator();
  locator.found = { 'sip:pbx.example': TARGETS };
  const virtual = new VirtualEngine({ locator, mayReach: (address) => !forbidden.includes(address) });
  const agent = virtual.agent(options);
  const log = new FailoverLog();
  const take = (method: string): SentMessage => {
    virtual.engine.turn(virtual.nowMs);
    const next = virtual.sent[0];
    virtual.take(method);
    return next as SentMessage;
  };
  const answer = (sent: SentMessage, status: number, reason: string, parts = {}): void =>
    virtual.receive(responseTo(sent.text, status, reason, parts), { address: sent.address, port: sent.port });
  return { locator, virtual, agent, log, take, answer, call: () => agent.invite(URI, SDP(), log) };
}
