/** Registrations of an allocation on virtual time: when calls begin after them, and what each outcome says. */
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import type { Explanation, SipFailure } from '../sip/engine.ts';
import { answerSdp, endpoint, engine, failure, open, plan, theCall } from '../testing/run/share-world.ts';
import type { OutcomeFact } from './report/facts.ts';

t.test('registration', async (t) => {
  const registered = plan(
    {
      endpoints: [
        endpoint(0, 0, {
          callAtMs: 1000,
          account: { username: '1001', credentials: { username: '1001', password: new Secret('p') } },
        }),
      ],
    },
    { register: true },
  );
  await t.test('first, then the call, then un-register', async (t) => {
    const { share, go, outcomes, phases } = await open(registered);
    share.start(0);
    go(20);
    engine.agents[0]?.registration?.onRegistered(20, 3600);
    go(1001);
    theCall().events.onAnswered(1001, 200, 'OK', answerSdp());
    theCall().events.onEnded('REMOTE', 1500, 1500);
    go(1501);
    t.equal(engine.agents[0]?.unregistered, 1);
    t.ok(engine.agents[0]?.closed);
    t.equal(phases()[0], 'REGISTERED');
    t.match(outcomes(), [{ outcome: 'SUCCESS', registerRttMs: 19 }]);
  });
  await t.test('a slow registrar makes the call wait, and is not the agent’s lateness', async (t) => {
    const { share, go, noise, outcomes } = await open(registered);
    share.start(0);
    go(1700);
    t.equal(engine.agents[0]?.call, null);
    engine.agents[0]?.registration?.onRegistered(1700, 3600);
    go(1702);
    t.ok(engine.agents[0]?.call);
    t.match(noise().at(-1), { started: 1, notStarted: 0 });
    t.ok((noise().at(-1)?.inviteLateMs.max ?? 99) <= 1);
    theCall().events.onAnswered(1750, 200, 'OK', answerSdp());
    theCall().events.onEnded('REMOTE', 1800, 1800);
    go(1801);
    t.match(outcomes(), [{ plannedAtMs: 1000, callSetupMs: 750, inviteLateMs: 701 }], 't0 is the planned instant');
  });
  await t.test('a registrar that answers all at once makes no bunch of calls', async (t) => {
    const many = Array.from({ length: 40 }, (_, i) => endpoint(i, i * 100));
    const { share, go, noise } = await open(plan({ endpoints: many }, { register: true }));
    share.start(0);
    go(2001);
    for (const agent of engine.agents.slice(0, 20)) agent.registration?.onRegistered(2001, 3600);
    let most = 0;
    for (let atMs = 2002; atMs <= 5000; atMs++) {
      const before = engine.agents.filter((a) => a.call).length;
      go(atMs);
      for (const agent of engine.agents)
        if (agent.registration && !agent.call) agent.registration.onRegistered(atMs, 3600);
      most = Math.max(most, engine.agents.filter((a) => a.call).length - before);
    }
    t.ok(most <= 2, `${most} in a millisecond`);
    const late = noise().map((n) => n.inviteLateMs.max);
    t.ok(Math.max(...late) <= 60, 'nor lateness of the agent');
    t.equal(
      noise().reduce((n, x) => n + x.notStarted, 0),
      0,
    );
  });
  await t.test('under way when the run is stopped: removed once it is there', async (t) => {
    const { share, go, states } = await open(registered);
    share.start(0);
    go(5);
    share.stop('a user stopped the run');
    t.equal(engine.agents[0]?.unregistered, 1);
    go(6);
    t.same(states(), ['READY', 'DONE']);
  });
  await t.test('a refused registration ends the endpoint', async (t) => {
    const { share, go, outcomes, states } = await open(registered);
    share.start(0);
    go(5);
    engine.agents[0]?.registration?.onRegistrationFailed(failure('STATUS', 403, 'Forbidden'));
    go(2000);
    t.match(outcomes(), [
      {
        outcome: 'REGISTRATION_FAILED',
        cause: 'REGISTRATION_DENIED',
        sipStatus: 403,
        attempted: false,
        callResult: null,
      },
    ]);
    t.equal(engine.agents[0]?.call, null);
    t.same(states(), ['READY', 'DONE']);
  });
  await t.test('a registrar that cannot be reached, and one that we cannot send to', async (t) => {
    const explanation: Explanation = { q850: 38, reason: '', warning: '399 down', retryAfterSeconds: 5 };
    const rows: [SipFailure, Partial<OutcomeFact>][] = [
      [failure('TRANSPORT', null, 'ECONNREFUSED'), { cause: 'REGISTRATION_UNREACHABLE' }],
      [failure('TRANSPORT', null, 'send EAFNOSUPPORT'), { cause: 'REGISTRATION_NOT_SENT' }],
      [failure('TIMEOUT'), { cause: 'REGISTRATION_TIMEOUT' }],
      [
        { ...failure('STATUS', 503), explanation },
        { cause: 'REGISTRATION_REJECTED', explanation },
      ],
    ];
    for (const [why, expected] of rows) {
      const { share, go, outcomes } = await open(registered);
      share.start(0);
      go(5);
      engine.agents[0]?.registration?.onRegistrationFailed(why);
      go(2000);
      t.match(outcomes(), [{ ...expected, outcome: 'REGISTRATION_FAILED', callResult: null, evidence: null }]);
    }
  });
  await t.test('receivers register before they are ready', async (t) => {
    const { share, go, states } = await open(
      plan({ role: 'CALLEE', endpoints: [endpoint(0, 0), endpoint(1, 0)] }, { register: true }),
    );
    go(5);
    t.equal(share.state, 'PREPARING');
    engine.agents[0]?.registration?.onRegistered(5, 3600);
    engine.agents[1]?.registration?.onRegistrationFailed(failure('TIMEOUT'));
    go(6);
    t.same(states(), ['READY'], 'one that cannot does not hold up the rest');
  });
});
