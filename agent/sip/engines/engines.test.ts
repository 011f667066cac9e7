/** Which engine an endpoint has: the main one, the core for WebSockets, SIP.js where it is asked for. */
import t from 'tap';
import { ownLoopback } from '../../../scripts/peers/network/loopback.ts';
import { createCoreEngine } from '../core/engine.ts';
import type { ChosenEngine, SipEngine, SipEngineOptions, SipTransport } from '../engine.ts';
import { Engines } from './engines.ts';

const options: SipEngineOptions = {
  ...{ address: ownLoopback().address(97), port: 0, adapter: 'auto', userAgentName: 'carillon-test' },
  mayReach: () => true,
  onUnclaimedCall: () => null,
};
const core = await createCoreEngine(options);
const drachtio = { name: 'drachtio', busy: false, needsLoop: false, counters: core.counters } as SipEngine;
drachtio.close = () => undefined;
drachtio.turn = () => 0;

const CASES: readonly (readonly [main: SipEngine, SipTransport | 'AUTO', ChosenEngine, name: string])[] = [
  [core, 'UDP', 'CORE', 'core'],
  [core, 'AUTO', 'CORE', 'core'],
  [core, 'WS', 'CORE', 'core'],
  [core, 'WSS', 'CORE', 'core'],
  [core, 'WSS', 'SIPJS', 'sip.js'],
  [drachtio, 'UDP', 'CORE', 'drachtio'],
  [drachtio, 'WS', 'CORE', 'core'],
  [drachtio, 'WS', 'SIPJS', 'sip.js'],
];

t.test('the engine of an endpoint', async (t) => {
  const all = new Map([core, drachtio].map((main) => [main, new Engines(main, options)]));
  for (const [main, transport, wanted, name] of CASES) {
    const engines = all.get(main) as Engines;
    const engine = await engines.of(transport, wanted);
    t.equal(engine.name, name, `${main.name}, ${transport}, ${wanted}`);
    t.equal(engine, engines.of(transport, wanted), 'open now, and the same');
    engines.turn(1000);
  }
  for (const engines of all.values()) {
    t.same([engines.malformed, engines.refusedByPolicy], [0, 0]);
    engines.close();
  }
});

t.test('an engine that is loaded after the close is of no use', async (t) => {
  const engines = new Engines(drachtio, options);
  const [web, sipJs] = [engines.of('WS', 'CORE'), engines.of('WS', 'SIPJS')];
  engines.close();
  for (const one of [web, sipJs]) await t.rejects(Promise.resolve(one), /is stopping/);
});
