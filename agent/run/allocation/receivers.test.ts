/** From which addresses calls are taken, and to which run a call belongs that names no endpoint. */
import t from 'tap';
import type { SipLocator, SipTarget, UserAgent } from '../../sip/engine.ts';
import { endpoint, sharePlan } from '../../testing/run/pair.ts';
import type { GroupPlan, SharePlan } from '../plan.ts';
import { CallSources } from './call-sources.ts';
import { type Receiver, Receivers } from './receivers.ts';

const UDP = { transport: 'UDP', port: 5060 } as const;
const at = (address: string, port = 5060) => ({ address, port });
const dns = (known: Readonly<Record<string, readonly string[]>>): SipLocator => ({
  locate(uri, done) {
    const host = /^sip:([^:;]+)/.exec(uri)?.[1] ?? '';
    const found = known[host]?.map((address): SipTarget => ({ ...UDP, address }));
    done(found ?? `no address of ${host}`);
  },
});

const planOf = (group: Partial<GroupPlan>, hop: string | null = null, more: Partial<SharePlan> = {}): SharePlan =>
  sharePlan(
    'CALLEE',
    { callsFrom: 'SERVER', register: false, takesAnyCall: true, ...group },
    { endpoints: [endpoint(1, { nextHop: hop === null ? null : { ...UDP, address: hop } })], ...more },
  );

async function sourcesOf(plan: SharePlan, known: Readonly<Record<string, readonly string[]>> = {}) {
  const sources = new CallSources(plan, { locator: dns(known), mayName: (host) => host !== 'forbidden.example' });
  await sources.found(0);
  return sources;
}

t.test('a server is the next hop, the outbound proxy and the registrar, by all their addresses', async (t) => {
  const numeric = await sourcesOf(planOf({ server: '192.0.2.8:5070', routeSet: ['<sip:192.0.2.7;lr>'] }, '192.0.2.9'));
  for (const address of ['192.0.2.7', '192.0.2.8', '192.0.2.9']) t.ok(numeric.takesFrom(address), address);
  t.notOk(numeric.takesFrom('192.0.2.10'));
  t.same(
    [numeric.rank(at('192.0.2.8', 5070)), numeric.rank(at('192.0.2.8')), numeric.rank(at('192.0.2.10'))],
    [3, 2, 0],
  );

  const known: Record<string, string[]> = { 'pbx.example': ['192.0.2.1', '192.0.2.2'] };
  const named = await sourcesOf(planOf({ server: 'pbx.example' }), known);
  t.ok(named.takesFrom('192.0.2.1') && named.takesFrom('192.0.2.2'));
  known['pbx.example'] = ['192.0.2.3'];
  named.turn(29_999);
  t.notOk(named.takesFrom('192.0.2.3'), 'the DNS is asked from time to time');
  named.turn(30_000);
  t.ok(
    named.takesFrom('192.0.2.3') && named.takesFrom('192.0.2.1'),
    'an earlier address may still have calls under way',
  );

  const six = await sourcesOf(planOf({ server: '[2001:DB8::0:1]' }));
  t.ok(six.takesFrom('2001:db8::1'), 'however it is written');
  const unknown = await sourcesOf(planOf({ server: 'nowhere.example' }));
  t.notOk(unknown.takesFrom('192.0.2.1'), 'a server that is not found is not anybody');
  const forbidden = await sourcesOf(planOf({ server: 'forbidden.example' }), { 'forbidden.example': ['192.0.2.1'] });
  t.notOk(forbidden.takesFrom('192.0.2.1'), 'nor is its name looked up where the policy forbids it');
});

t.test('the domain of addresses of record is no source, and is not looked up', async (t) => {
  const asked: string[] = [];
  const known = dns({ 'home.example': ['192.0.2.66'], 'pbx.example': ['192.0.2.1'] });
  const locator: SipLocator = {
    locate(uri, done) {
      asked.push(uri);
      known.locate(uri, done);
    },
  };
  const proxied = { domain: 'home.example', server: 'pbx.example', routeSet: ['<sip:192.0.2.7;lr>'] };
  const sources = new CallSources(planOf(proxied, '192.0.2.7'), { locator });
  await sources.found(0);
  sources.turn(30_000);
  t.same(asked, ['sip:pbx.example;transport=udp', 'sip:pbx.example;transport=udp']);
  t.ok(sources.takesFrom('192.0.2.1') && sources.takesFrom('192.0.2.7'));
  t.notOk(sources.takesFrom('192.0.2.66'));
});

t.test('each gateway of a trunk is a source, and a run of its own calls', async (t) => {
  const gateways = [at('192.0.2.2', 5070), at('2001:db8::2')].map((one) => ({ ...UDP, ...one }));
  const trunk = { domain: 'home.example', gateways };
  const sources = await sourcesOf(planOf(trunk, '192.0.2.1'));
  for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::2']) t.ok(sources.takesFrom(address), address);
  t.notOk(sources.takesFrom('192.0.2.3'));
  t.same([sources.rank(at('192.0.2.2', 5070)), sources.rank(at('192.0.2.2'))], [3, 2]);

  const one = await shareOf('one', trunk, '192.0.2.1');
  const all = receiversOf(one);
  for (const { address, port } of [...gateways, at('192.0.2.1')])
    t.equal(all.takerOf('sip:+4930@192.0.2.50', at(address, port)), 'one', address);
  t.equal(all.takerOf('sip:+4930@192.0.2.50', at('192.0.2.3')), null);
  const second = await shareOf('two', TRUNK, '192.0.2.9');
  const shared = await shareOf('two', { ...TRUNK, gateways }, '192.0.2.9');
  t.equal(all.conflictOf(second), null);
  t.match(all.conflictOf(shared), /from 192\.0\.2\.2 port 5070 .* run one/);
});

t.test('without a server endpoints are called by name, by anybody with the name', async (t) => {
  const cloud = await sourcesOf(planOf({ server: '' }));
  t.ok(cloud.takesFrom('198.51.100.1'));
  t.equal(cloud.rank(at('198.51.100.1')), 0, 'and by no number');
  const open = await sourcesOf(planOf({ server: '192.0.2.8', callsFrom: 'ANYBODY' }));
  t.ok(open.takesFrom('198.51.100.1'));
  t.same([open.rank(at('198.51.100.1')), open.rank(at('192.0.2.8'))], [1, 3]);
});

type Share = Receiver & { readonly told: string[]; free: boolean };

async function shareOf(run: string, group: Partial<GroupPlan>, hop: string | null, account = ''): Promise<Share> {
  const known = account === '' ? null : { username: account, credentials: null };
  const nextHop = hop === null ? null : { ...UDP, address: hop };
  const plan = planOf(group, hop, { run, endpoints: [endpoint(1, { nextHop, account: known })] });
  const told: string[] = [];
  const share: Share = {
    plan,
    sources: await sourcesOf(plan),
    isReceiving: true,
    free: true,
    told,
    takeAnyCall: () => (share.free ? (run as unknown as UserAgent) : null),
    noteStranger: (detail) => told.push(detail),
  };
  return share;
}
const receiversOf = (...shares: Share[]) => new Receivers(new Map(shares.map((share, i) => [i, share])));
const TRUNK = { server: '' };

t.test(
  'a call to a number goes to the run whose server it came from, and to nobody where runs cannot be told apart',
  async (t) => {
    const anybody = await shareOf('any', { ...TRUNK, callsFrom: 'ANYBODY' }, null);
    const one = await shareOf('one', TRUNK, '192.0.2.1');
    const two = await shareOf('two', TRUNK, '192.0.2.2');
    const all = receiversOf(anybody, one, two);
    const taker = (from: string, port = 5060, of = all): string | null =>
      of.takerOf('sip:+4930@192.0.2.50', at(from, port)) as unknown as string | null;
    t.equal(taker('192.0.2.1'), 'one');
    t.equal(taker('192.0.2.2', 40_000), 'two', 'over a connection');
    t.equal(taker('198.51.100.1'), 'any');
    one.free = false;
    t.equal(taker('192.0.2.1'), null, 'its calls are no other run’s, whichever endpoint is free there');

    const same = receiversOf(await shareOf('a', TRUNK, '192.0.2.1'), await shareOf('b', TRUNK, '192.0.2.1'));
    t.equal(taker('192.0.2.1', 5060, same), null);
    const ports = receiversOf(
      await shareOf('a', { server: '192.0.2.1:5070' }, null),
      await shareOf('b', { server: '192.0.2.1:5080' }, null),
    );
    t.same([taker('192.0.2.1', 5070, ports), taker('192.0.2.1', 5080, ports)], ['a', 'b']);
    t.equal(taker('192.0.2.1', 41_000, ports), null, 'a port that is neither’s');
    const mine = receiversOf(await shareOf('a', TRUNK, '192.0.2.1'), await shareOf('a', TRUNK, '192.0.2.1'));
    t.equal(taker('192.0.2.1', 5060, mine), 'a', 'parts of one run are one');
  },
);

t.test('among those that register at one server the account tells', async (t) => {
  const registered = { register: true, server: '192.0.2.1' };
  const shares = [await shareOf('a', registered, null, '1001'), await shareOf('b', registered, null, '1002')];
  const all = receiversOf(...shares);
  t.equal(all.takerOf('sip:1002@192.0.2.50', at('192.0.2.1')), 'b');
  t.equal(all.takerOf('sip:1001@192.0.2.50', at('192.0.2.1')), 'a');
  t.equal(all.takerOf('sip:1003@192.0.2.50', at('192.0.2.1')), null);
  t.equal(all.takerOf('sip:1001@192.0.2.50', at('198.51.100.1')), null);
  for (const share of shares) t.equal(all.conflictOf(share), null, 'they are called by name');
});

t.test('an allocation whose calls could not be told from another run’s is refused', async (t) => {
  const rows: [string, string | null, Partial<GroupPlan>, string | null, RegExp | null][] = [
    ['one', '192.0.2.1', {}, '192.0.2.1', /from 192\.0\.2\.1 port 5060 .* run one/],
    ['one', '192.0.2.1', {}, '192.0.2.2', null],
    ['one', null, { callsFrom: 'ANYBODY' }, null, /from anybody .* run one/],
    ['two', '192.0.2.1', {}, '192.0.2.1', null],
  ];
  for (const [run, hop, group, other, expected] of rows) {
    const open = await shareOf(run, { ...TRUNK, ...group }, hop);
    const opening = await shareOf('two', { ...TRUNK, ...group }, other);
    const conflict = receiversOf(open, opening).conflictOf(opening);
    if (expected === null) t.equal(conflict, null);
    else t.match(conflict, expected);
  }
});

t.test('runs are told whose calls were refused', async (t) => {
  const one = await shareOf('one', TRUNK, '192.0.2.1');
  const all = receiversOf(one);
  all.refused('sip:100@192.0.2.50', at('198.51.100.1', 5066));
  one.free = false;
  all.refused('sip:100@192.0.2.50', at('192.0.2.1'));
  t.same(one.told, [
    'sip:100@192.0.2.50 from 198.51.100.1:5066: calls are accepted from 192.0.2.1',
    'sip:100@192.0.2.50 from 192.0.2.1:5060: no endpoint was free, or another run accepts calls from there',
  ]);
});
