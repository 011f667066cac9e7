/**
 * Rare but permitted behaviour of servers: two challenges for one request, stale nonces, unusual Contacts and none, calls from
 * a second address.
 */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, receives, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { NameServer } from '../../peers/network/name-server.ts';
import { startOddServer } from '../../peers/sip/odd-server.ts';

/** A registration of 4 s is refreshed after two. */
const SECONDS = 4;
const CALLED = ['twice', 'stale', 'nameless'] as const;

const net = ownLoopback();
const [FIRST, SECOND, STRANGER] = [net.address(70), net.address(71), net.address(72)];
const odd = await startOddServer([FIRST, SECOND, STRANGER], (user) => `secret of ${user}`);
t.teardown(() => odd.close());
const names = await NameServer.start({ 'A odd.example': [FIRST, SECOND] });
t.teardown(() => names.close());
const uri = `sip:odd.example:${odd.port}`;
const lab = await openLab(t, {
  net,
  agentEnv: { CARILLON_DNS: names.place },
  provision: () => ({
    registrars: [
      {
        ...{ slug: 'odd', name: 'odd', uri },
        sipAccounts: [...CALLED, 'called'].map((name) => ({ username: `u-${name}`, password: `secret of u-${name}` })),
      },
    ],
    tests: [
      ...CALLED.map((name) =>
        callsTo(`sip:${name}@odd.example:${odd.port}`, name, {
          ...{ endpoints: 1, durationSeconds: SECONDS, registrar: 'odd', sipAccounts: [`u-${name}`] },
          media: SPEAKS_ONLY,
        }),
      ),
      receives('called', {
        ...{ endpoints: 1, durationSeconds: 30, registrar: 'odd', sipAccounts: ['u-called'] },
        media: SPEAKS_ONLY,
      }),
    ],
  }),
});
const runs = new Map(await Promise.all(CALLED.map(async (name) => [name, await lab.runToEnd(name)] as const)));

/** Nonces that each INVITE answers, and the target of the requests after its answer. */
const EXPECTED = {
  twice: { answers: [[], ['i1'], ['i1', 'i2']], to: `sip:twice@${FIRST}:${odd.port};lr-like=no;unknown=a%2Cb` },
  stale: { answers: [[], ['i1'], ['i2']], to: `sip:stale@${FIRST}:${odd.port}` },
  nameless: { answers: [[]], to: `sip:nameless@odd.example:${odd.port}` },
};
/** The fourth refreshes the registration during the call. */
const REGISTERED = [[], ['r1'], ['r1', 'r2'], ['r1', 'r2'], ['r3', 'r2']];
const WHAT = {
  twice: '401, then 407 for the same INVITE, and a Contact with parameters that nobody knows',
  stale: 'a nonce that is stale when it is used',
  nameless: 'an answer without Contact: what follows goes where the INVITE went',
};

for (const name of CALLED)
  t.test(WHAT[name], async (t) => {
    const run = runs.get(name)!;
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
    t.match(await lab.endpoints(run.id), [{ outcome: 'SUCCESS', failure: null }]);
    const own = odd.requests.filter(({ account }) => account === `u-${name}`);
    const of = (method: string) => own.filter((one) => one.method === method);
    t.same(
      own.flatMap(({ wrong }) => wrong),
      [],
      'every digest is right',
    );
    t.same(
      of('INVITE').map(({ answers }) => answers),
      EXPECTED[name].answers,
    );
    const registered = of('REGISTER').map(({ answers }) => answers);
    t.same(registered.slice(0, REGISTERED.length), REGISTERED, '407 after 401, then a stale nonce');
    t.same([of('ACK').at(-1)?.uri, of('BYE')[0]?.uri], [EXPECTED[name].to, EXPECTED[name].to]);
  });

t.test('called from the second address of its registrar', async (t) => {
  const id = await lab.startRun('called');
  t.equal(await odd.call('u-called', STRANGER), 403);
  t.equal(await odd.call('u-called', SECOND), 200);
  const run = await lab.ended(id);
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 1, successCount: 1 } });
});
