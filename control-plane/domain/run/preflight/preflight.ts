/** Decides whether a test would run now: the checks of a run on its way to its agents, made before it is started. Pure. */
import type { Check } from '../../../contract/test-settings/preflight.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { destinationsOf } from '../../../contract/test-settings/way.ts';
import { accountPools } from '../group/accounts.ts';
import { completeConfig } from '../group/scenario.ts';
import type { Circumstances } from './circumstances.ts';
import { reachFaults, testEndpoints } from './needs.ts';
import { policyCheck } from './policy-check.ts';

/** Each check once. A check that depends on a failed one says so. */
export function preflight(c: Circumstances): Check[] {
  const lacksAccounts = c.missing?.code === 'SIP_ACCOUNTS_MISSING';
  return [
    c.missing && !lacksAccounts
      ? fail('RESOURCES', c.missing.message)
      : pass('RESOURCES', 'Registrars and media files exist.'),
    accountsCheck(c, lacksAccounts),
    ...callsFromChecks(c),
    ...destinationChecks(c),
    c.beyondPlan ? fail('PLAN', c.beyondPlan.message) : pass('PLAN', `The plan ${c.plan} includes it.`),
    c.unmanned === null
      ? pass('WORKERS', `Online and able: ${c.workers.map((w) => w.name).join(', ')}.`)
      : fail('WORKERS', c.unmanned),
    capacityCheck(c),
    policyCheck(c),
  ];
}

const checkOf = (verdict: Check['verdict']) => (check: Check['check'], message: string) => ({
  check,
  verdict,
  message,
});
const pass = checkOf('PASS');
const warn = checkOf('WARN');
const fail = checkOf('FAIL');

function accountsCheck({ config, registrars, accounts, missing }: Circumstances, isShort: boolean): Check {
  if (isShort) return fail('SIP_ACCOUNTS', missing?.message ?? '');
  if (config.groups.some((g) => !registrars.has(g.registrarId)))
    return fail('SIP_ACCOUNTS', 'Unknown until its registrars exist.');
  const pools = [...new Set(accountPools(config, registrars, accounts).values())];
  const has = (what: (pool: (typeof pools)[number]) => number, of = pools) => of.reduce((n, p) => n + what(p), 0);
  const own = pools.filter((p) => p.isForEach);
  const shared = pools.filter((p) => !p.isForEach);
  const silent = has((p) => p.accounts.filter((a) => !a.hasSecret).length);
  const trunks = has((p) => p.accounts.length, shared);
  const texts = [
    ...(own.length > 0
      ? [`${has((p) => p.needed, own)} are needed, ${has((p) => p.accounts.length, own)} are there`]
      : ['None needed: no endpoint registers']),
    ...(shared.length > 0 ? [`over trunks ${has((p) => p.needed, shared)} endpoints take ${trunks} in turn`] : []),
  ].join('; ');
  const faults = [
    ...(silent === 0 ? [] : [`${silent} have neither password nor HA1, and cannot answer challenges`]),
    ...unnumbered(config, registrars, accounts),
  ];
  if (faults.length === 0) return pass('SIP_ACCOUNTS', `${texts}.`);
  return warn('SIP_ACCOUNTS', `${[texts, ...faults].join('; ')}.`);
}

/** Some accounts of a trunk lack a number while others have one: probably a mistake. */
function unnumbered(
  config: TestConfig,
  registrars: Circumstances['registrars'],
  accounts: Circumstances['accounts'],
): string[] {
  const pools = accountPools(config, registrars, accounts);
  const calling = completeConfig(config).groups.filter((g) => g.callerNumber === null && g.callee.mode !== 'RECEIVE');
  const used = new Set(calling.flatMap((g) => g.subPopulations.flatMap(({ id }) => pools.get(id) ?? [])));
  return [...used].flatMap(({ isForEach, accounts: of }) => {
    const without = of.filter((a) => a.number === null);
    const [first] = without;
    if (isForEach || !first || without.length === of.length) return [];
    const others = without.length > 1 ? ` and ${without.length - 1} more` : '';
    return [`${first.username}${others} have no number, and call by user name`];
  });
}

/** Says which calls are accepted, if callers from outside the test are to call. */
function callsFromChecks({ config, registrars }: Circumstances): Check[] {
  const { groups } = completeConfig(config);
  const called = new Set(groups.flatMap(({ callee }) => (callee.mode === 'GROUP' ? [callee.groupId] : [])));
  const waiting = groups.filter((g) => g.callee.mode === 'RECEIVE' && !called.has(g.id));
  if (waiting.length === 0) return [];
  const fault = reachFaults(config, registrars).find(({ path }) => /\.(callsFrom|registrar)$/.test(path));
  if (fault) return [fail('CALLS_FROM', `${fault.message}.`)];
  const texts = waiting.map(({ name, callsFrom, registrarId }) =>
    callsFrom === 'ANYBODY'
      ? `${name} takes every call that reaches its agent.`
      : `${name} takes calls of ${registrars.get(registrarId)?.uri ?? 'its registrar'} and its addresses; others are refused: with 403 if they call the address of a callee, with 404 otherwise.`,
  );
  return [pass('CALLS_FROM', texts.join(' '))];
}

/** The limit of named addresses in a long list. */
const MAX_DESTINATIONS = 5;

/** Says where calls are sent: a server that is asked for another place may answer for it. */
function destinationChecks({ config, registrars }: Circumstances): Check[] {
  const said = completeConfig(config).groups.flatMap((group) => {
    const registrar = registrars.get(group.registrarId);
    const all = registrar ? destinationsOf(group, registrar) : [];
    return config.groups.length === 1 ? all : all.map((one) => ({ ...one, text: `${group.name}: ${one.text}` }));
  });
  if (said.length === 0) return [];
  const elsewhere = said.filter(({ isElsewhere }) => isElsewhere);
  const shown = elsewhere.length > 0 ? elsewhere : said;
  const more = shown.length > MAX_DESTINATIONS ? ` And ${shown.length - MAX_DESTINATIONS} more.` : '';
  const text = shown.slice(0, MAX_DESTINATIONS).map((one) => one.text);
  return [(elsewhere.length > 0 ? warn : pass)('DESTINATIONS', `${text.join(' ')}${more}`)];
}

function capacityCheck({ config, short, unmanned }: Circumstances): Check {
  if (unmanned !== null) return fail('CAPACITY', 'There is no worker.');
  if (short === null) return pass('CAPACITY', `There is room for ${testEndpoints(config)} endpoints.`);
  return fail('CAPACITY', short);
}
