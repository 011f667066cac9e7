/** What a test needs to be started, and what it lacks. */
import t from 'tap';
import { accountNamed } from '../../../testing/accounts.ts';
import { cloud, config, registrar } from '../../../testing/planned-tests.ts';
import { missing, reachFaults, testFaults } from './needs.ts';

t.test('what a test needs', async (t) => {
  const both = new Map([
    ['pbx', registrar('pbx')],
    ['cloud', cloud],
  ]);
  t.equal(missing(config('cloud', 'cloud'), both, new Map()), null);
  t.match(missing(config('gone', 'cloud'), both, new Map()), { code: 'REGISTRAR_MISSING' });
  t.match(
    missing(
      config('pbx', 'pbx'),
      both,
      new Map([['pbx', ['a1', 'a2', 'a4', 'a5', 'a6'].map((id) => accountNamed(id))]]),
    ),
    {
      code: 'SIP_ACCOUNTS_MISSING',
      message: /add 1/,
    },
  );
  t.same(
    reachFaults(config('pbx', 'cloud'), both).map((f) => f.path),
    ['groups[0].registrar'],
  );
  const chosen = config('pbx', 'pbx');
  for (const group of chosen.groups) group.engine = 'SIPJS';
  const by = (protocol: 'UDP' | 'WS' | 'WSS' | 'TLS') =>
    reachFaults(chosen, new Map([['pbx', { ...registrar('pbx'), protocol }]])).filter(({ path }) =>
      /engine/.test(path),
    );
  for (const protocol of ['WS', 'WSS'] as const) t.same(by(protocol), []);
  for (const protocol of ['UDP', 'TLS'] as const)
    t.match(by(protocol)[0], { path: 'groups[0].engine', message: new RegExp(`SIPJS speaks WS and WSS.*${protocol}`) });
  t.same(testFaults(config('pbx', 'pbx')), []);
  const crowded = config('cloud', 'cloud');
  const [callers] = crowded.groups;
  if (callers?.subPopulations[0]) callers.subPopulations[0].endpoints = 4;
  t.match(testFaults(crowded), [{ path: 'groups[0].callee.group', message: /4 callers for the 3 callees/ }]);
});

t.test('each call of an endpoint has a number of 31 bits', async (t) => {
  const test = config('pbx', 'pbx');
  const [callers] = test.groups as [(typeof test.groups)[number]];
  const of = (endpoints: number, calls: number | null, most: number) => {
    const subPopulations = callers.subPopulations.slice(0, 1).map((s) => ({ ...s, endpoints, calls }));
    const group = { ...callers, callee: { mode: 'EXTERNAL_URI' as const, uri: 'sip:1@10.0.0.1' }, subPopulations };
    return testFaults({ ...test, load: { shape: 'RATE', callsPerSecond: 20_000, calls: most }, groups: [group] });
  };
  t.same(of(1_000_000, 1000, 1e9), []);
  t.same(of(1_000_000, null, 1e9), []);
  t.match(of(1_000_000, 2148, 1e9), [{ path: 'groups[0].subPopulations[0].calls', message: /at most 2147 of each/ }]);
  t.match(of(1_000_001, 1, 1e9), [{ path: 'groups', message: /1000001 endpoints, over 1000000/ }]);
});
