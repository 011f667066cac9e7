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
