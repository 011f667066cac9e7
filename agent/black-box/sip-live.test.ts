import { Secret } from '@carillon/proto/base/secret.ts';
import t, { type Test } from 'tap';
import { provenLibc } from '../net/datagrams/open-datagram-port.ts';
import type { IncomingCallHandler, SipEngineOptions, UserAgent } from '../sip/engine.ts';
import { agentOf, call, isOver, side, turnUntil, withoutRepeats } from '../testing/sip/sides.ts';
import { type AgentSipp, scenario, startSipp } from '../testing/sip/sipp.ts';
import { CallLog, RegistrationLog, SDP } from '../testing/sip/virtual.ts';
import { withOwner } from '../testing/sip/with-owner.ts';

const ANSWERED = ['sent', 'provisional 180', 'answered 200', 'ended LOCAL'];
const adapters: ('ffi' | 'dgram')[] = typeof provenLibc() === 'string' ? ['dgram'] : ['ffi', 'dgram'];

async function bench(options: Partial<SipEngineOptions> = {}) {
  const on = await side(options);
  const agent = (user: string, onIncomingCall: IncomingCallHandler = () => null, password = 'secret'): UserAgent =>
    agentOf(on, user, {
      credentials: { username: user, password: new Secret(password) },
      registrarUri: 'sip:carillon.test',
      onIncomingCall,
    });
  return { ...on, agent };
}

/** Places calls at once; an answered call is hung up at once. */
const placeCalls = (agent: UserAgent, target: string, count: number): CallLog[] =>
  Array.from({ length: count }, () => call(agent, target));

async function withSipp(
  t: Test,
  args: string[],
  run: (sipp: AgentSipp) => Promise<void>,
  address?: string,
): Promise<void> {
  const sipp = await startSipp(args, address);
  if (sipp === null) return void t.pass('sipp is not installed (Debian: sip-tester)', { skip: true });
  try {
    await run(sipp);
  } finally {
    sipp.stop();
    await sipp.exit;
  }
}

for (const adapter of adapters) {
  t.test(`20 calls to SIPp (${adapter})`, async (t) => {
    const { engine, agent, errors, traffic } = await bench({ adapter });
    t.teardown(() => engine.close());
    await withSipp(t, ['-sn', 'uas'], async ({ port }) => {
      const logs = placeCalls(agent('alice'), `sip:service@127.0.0.1:${port}`, 20);
      t.ok(await turnUntil(() => logs.every(isOver), [{ engine }]), 'all end');
      for (const log of logs) t.same(withoutRepeats(log.events, ANSWERED), ANSWERED);
      for (const log of logs)
        t.ok(
          log.atMs.every((atMs, i) => i === 0 || atMs >= (log.atMs[i - 1] as number) - 1),
          'times rise',
        );
      const first = traffic.filter((seen) => !seen.retransmission);
      const count = (direction: string, method: string, status: number): number =>
        first.filter((seen) => seen.direction === direction && seen.method === method && seen.status === status).length;
      t.same(
        [
          count('SENT', 'INVITE', 0),
          count('RECEIVED', 'INVITE', 180),
          count('RECEIVED', 'INVITE', 200),
          count('SENT', 'ACK', 0),
          count('SENT', 'BYE', 0),
          count('RECEIVED', 'BYE', 200),
        ],
        [20, 20, 20, 20, 20, 20],
        'every message once in the trace',
      );
      t.match(engine.counters, { malformed: 0, unmatched: 0, internalErrors: 0 });
      t.same(errors, []);
      t.equal(engine.stamps, adapter === 'ffi' ? 'kernel' : 'user');
    });
  });
}

t.test('calls that SIPp refuses', async (t) => {
  const rows: [string, string[]][] = [
    ['busy', ['sent', 'failed STATUS 486']],
    ['unavailable', ['sent', 'failed STATUS 503']],
    ['unanswered', ['sent', 'provisional 180', 'failed STATUS 480']],
  ];
  for (const [name, events] of rows) {
    const { engine, agent } = await bench();
    await withSipp(t, [...scenario(name), '-m', '5'], async (sipp) => {
      const logs = placeCalls(agent('alice'), `sip:service@127.0.0.1:${sipp.port}`, 5);
      t.ok(await turnUntil(() => logs.every(isOver), [{ engine }]), name);
      for (const log of logs) t.same(withoutRepeats(log.events, events), events, name);
      let code: number | null = -1;
      void sipp.exit.then((value) => {
        code = value;
      });
      t.ok(await turnUntil(() => code !== -1, [{ engine }]), 'SIPp got its ACKs');
      t.equal(code, 0);
    });
    engine.close();
  }
});

t.test('digest that SIPp verifies', async (t) => {
  const { engine, agent } = await bench();
  t.teardown(() => engine.close());
  await withSipp(t, scenario('guarded'), async ({ port }) => {
    const target = `sip:service@127.0.0.1:${port}`;
    const logs = placeCalls(agent('alice'), target, 3);
    t.ok(await turnUntil(() => logs.every(isOver), [{ engine }]));
    for (const log of logs) t.same(log.events, ['sent', 'answered 200', 'ended LOCAL']);
    const [refused] = placeCalls(agent('alice2', undefined, 'wrong'), target, 1);
    t.ok(await turnUntil(() => refused !== undefined && isOver(refused), [{ engine }]));
    t.same(refused?.events, ['sent', 'failed STATUS 403'], 'a wrong user');
    for (const [user, password, last] of [
      ['alice', 'secret', 'registered 77'],
      ['alice', 'wrong', 'failed STATUS 403'],
    ] as const) {
      const log = new RegistrationLog();
      const registering = engine.createUserAgent(
        withOwner({
          aor: `sip:${user}@carillon.test`,
          contactUser: `${user}-${password}`,
          credentials: { username: user, password: new Secret(password) },
          registrarUri: 'sip:carillon.test',
          nextHop: [{ transport: 'UDP', address: '127.0.0.1', port }],
          routeSet: [],
          traffic: { onMessage: () => undefined },
          onIncomingCall: () => null,
        }),
      );
      registering.register(300, log);
      t.ok(await turnUntil(() => log.events.length === 2, [{ engine }]));
      t.same(log.events, ['sent', last], `REGISTER with the password "${password}"`);
    }
  });
});

t.test('50 calls from SIPp', async (t) => {
  const logs: CallLog[] = [];
  const { engine, agent, errors } = await bench();
  t.teardown(() => engine.close());
  agent('alice', (call) => {
    const log = new CallLog();
    logs.push(log);
    call.ring();
    call.answer(SDP('sendrecv', '127.0.0.1'));
    return log;
  });
  const uac = ['-sn', 'uac', '-s', 'alice', `127.0.0.1:${engine.local.port}`, '-m', '50', '-r', '200', '-d', '20'];
  await withSipp(t, uac, async (sipp) => {
    let code: number | null = -1;
    void sipp.exit.then((value) => {
      code = value;
    });
    t.ok(await turnUntil(() => code !== -1, [{ engine }]), 'SIPp ends');
    t.equal(code, 0, 'to its satisfaction');
    t.equal(logs.length, 50);
    for (const log of logs) t.same(log.events, ['answered 200', 'ended REMOTE']);
    t.same(errors, []);
  });
});

for (const adapter of adapters) {
  for (const address of ['127.0.0.1', '::1']) {
    t.test(`two engines call each other (${adapter}, ${address})`, async (t) => {
      const caller = await bench({ adapter, address });
      const callee = await bench({ adapter, address });
      const sides = [caller, callee];
      t.teardown(() => {
        for (const { engine } of sides) engine.close();
      });
      const answered: CallLog[] = [];
      let byCallee = 0;
      callee.agent('bob', (call) => {
        const log = new CallLog();
        answered.push(log);
        call.ring();
        call.answer(SDP('sendrecv', '127.0.0.1'));
        const told = log.onAnswered.bind(log);
        log.onAnswered = (...parts) => {
          told(...parts);
          if (answered.length % 2 === 0) {
            byCallee++;
            call.hangUp();
          }
        };
        return log;
      });
      const host = address.includes(':') ? `[${address}]` : address;
      const target = `sip:bob@${host}:${callee.engine.local.port}`;
      const alice = caller.agent('alice');
      for (let i = 1; i <= 20; i++) {
        const log = new CallLog();
        const call = alice.invite(target, SDP('sendrecv', '127.0.0.1'), log);
        t.ok(
          await turnUntil(
            () => log.events.includes('answered 200') && answered[i - 1]?.events[0] === 'answered 200',
            sides,
          ),
        );
        if (i % 2 === 1) call.hangUp();
        t.ok(await turnUntil(() => isOver(log) && isOver(answered[i - 1] as CallLog), sides));
        t.same(log.events, ['sent', 'provisional 180', 'answered 200', i % 2 === 1 ? 'ended LOCAL' : 'ended REMOTE']);
        t.same(answered[i - 1]?.events, ['answered 200', i % 2 === 1 ? 'ended REMOTE' : 'ended LOCAL']);
      }
      t.equal(byCallee, 10);
      const cancelled = new CallLog();
      const nobody = alice.invite(target.replace('bob', 'nobody'), '', new CallLog());
      nobody.hangUp();
      const slow = callee.agent('slow', (call) => {
        call.ring();
        return cancelled;
      });
      const log = new CallLog();
      const call = alice.invite(target.replace('bob', 'slow'), '', log);
      t.ok(await turnUntil(() => log.events.includes('provisional 180'), sides));
      call.hangUp();
      t.ok(await turnUntil(() => isOver(log) && isOver(cancelled), sides));
      t.same([log.events.at(-1), cancelled.events.at(-1)], ['failed CANCELLED 487', 'failed CANCELLED 487']);
      slow.close();
      for (const { engine, errors } of sides) {
        t.match(engine.counters, { malformed: 0, unmatched: 0, internalErrors: 0 });
        t.same(errors, []);
      }
    });
  }
}

t.test('a port in use, and an address that nobody could answer to', async (t) => {
  const { engine } = await bench();
  t.teardown(() => engine.close());
  await t.rejects(bench({ port: engine.local.port }), { message: /EADDRINUSE/ });
  await t.rejects(bench({ address: '0.0.0.0' }), { message: /listen on one of the host's own addresses/ });
});
