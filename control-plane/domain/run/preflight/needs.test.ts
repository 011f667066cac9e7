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
  t.same(testFaults(config('pbx', 'pbx')), []);
  const crowded = config('cloud', 'cloud');
  const [callers] = crowded.groups;
  if (callers?.subPopulations[0]) callers.subPopulations[0].endpoints = 4;
  t.match(testFaults(crowded), [{ path: 'groups[0].callee.group', message: /4 callers for the 3 callees/ }]);
});
