/** Values of single endpoints: which texts can contain them, what agents receive, and what is refused before a call is placed. */
import t from 'tap';
import type { Group } from '../../../contract/test-settings/test.ts';
import { accountNamed } from '../../../testing/accounts.ts';
import { namesOf } from '../../pairing/planned-names.ts';
import { digitFaults } from '../../project/test-draft.ts';
import { callerOf, columnsOf, headersOf } from '../orders/order-caller.ts';
import { allocateOrder } from '../orders/orders.ts';
import { type PlanInput, planRun, type RegistrarPlan } from '../plan/plan.ts';
import { missing } from '../preflight/needs.ts';
import { accountPools } from './accounts.ts';
import { filledUri, ownTexts, valueFault } from './own-values.ts';
import { completeConfig, completeGroup, scenarioFaults } from './scenario.ts';

const TRUNK: RegistrarPlan = {
  id: 'trunk',
  uri: 'sip:192.0.2.1',
  isCloud: false,
  register: false,
  outboundProxyUri: null,
  protocol: 'UDP',
  tls: null,
};
const AUDIO = { id: 'a', kind: 'AUDIO', source: 'TONE', mediaFileId: null };
const groupOf = (more: object = {}): Group =>
  completeGroup({
    id: 'g',
    name: 'callers',
    registrarId: 'trunk',
    callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@192.0.2.1' },
    placement: { mode: 'REGION', region: 'local' },
    audioCodecs: ['PCMU'],
    videoCodecs: [],
    encryption: 'NONE',
    rtcpMux: false,
    dtmf: null,
    mediaTracks: [],
    subPopulations: [{ id: 's', name: 'all', role: 'CALLER', endpoints: 3, sipAccountIds: null }],
    ...more,
  } as unknown as Group);
const configOf = (group: Group) =>
  completeConfig({
    groups: [group],
    load: { shape: 'BUILDUP' },
    breaker: null,
    abortOn: null,
    thresholds: [],
    maxExecutionSeconds: null,
  });

const rows = [
  accountNamed('1', { number: '+491', displayName: 'One', values: { pin: '11', to: 'a#b' } }),
  accountNamed('2', { number: '+492', values: { pin: '22', to: '7' } }),
];

const planned = (group: Group, accounts: typeof rows, registrar = TRUNK) =>
  planRun({
    config: configOf(group),
    buildupSeconds: 0,
    parts: [{ subPopulationId: 's', workerId: 'w', endpoints: 3, atOnce: 3 }],
    listeners: new Map([['w', [{ address: '192.0.2.9', port: 5060 }]]]),
    registrars: new Map([['trunk', registrar]]),
    accounts: new Map([['trunk', accounts]]),
    runToken: 'r',
    newId: () => 'id',
  } satisfies PlanInput)[0] as ReturnType<typeof planRun>[number];

t.test('over a trunk accounts are taken in turn; to register, each endpoint has one of its own', async (t) => {
  const over = (registrar: RegistrarPlan, accounts = rows) => planned(groupOf(), accounts, registrar);
  t.same(
    over(TRUNK).endpoints.map((e) => e.account?.username),
    ['1', '2', '1'],
  );
  t.same(
    over(TRUNK, []).endpoints.map((e) => e.account),
    [null, null, null],
    'a trunk needs none',
  );
  t.throws(() => over({ ...TRUNK, register: true }), /fewer SIP accounts/);
  const pools = (register: boolean, mode = 'CALL', accounts = rows) =>
    accountPools(
      configOf(groupOf({ mode })),
      new Map([['trunk', { ...TRUNK, register }]]),
      new Map([['trunk', accounts]]),
    );
  t.match(pools(false).get('s'), { needed: 3, isForEach: false });
  t.match(pools(true).get('s'), { needed: 3, isForEach: true });
  t.match(pools(true, 'OPTIONS').get('s'), { isForEach: false }, 'OPTIONS needs no registration');
  t.equal(pools(true, 'OPTIONS', []).get('s'), undefined, 'and no account');
});

t.test('the caller number of a trunk is its account’s, and to register the user name', async (t) => {
  t.same(callerOf(planned(groupOf(), rows)), { displayName: '{{displayName}}', callerNumber: '{{number}}' });
  const plain = [accountNamed('1'), accountNamed('2'), accountNamed('3')];
  t.same(callerOf(planned(groupOf(), plain)), { displayName: '', callerNumber: '' });
  const registering = planned(groupOf(), [...rows, accountNamed('3')], { ...TRUNK, register: true });
  t.equal(callerOf(registering).callerNumber, '');
  const said = groupOf({ callerNumber: '0{{pin}}', displayName: 'X' });
  t.same(callerOf(planned(said, rows)), { displayName: 'X', callerNumber: '0{{pin}}' });
});

t.test('agents get the columns that are named, and no others', async (t) => {
  const { endpoints } = planned(groupOf(), rows);
  t.same(columnsOf(['{{pin}} {{number}}', 'x', '{{pin}}{{nothing}}'], endpoints), [
    { name: 'pin', value: ['11', '22', '11'] },
    { name: 'number', value: ['+491', '+492', '+491'] },
    { name: 'nothing', value: ['', '', ''] },
  ]);
  t.same(columnsOf(['plain'], endpoints), []);
});

t.test('the target of each caller: its own, one of a list, the next of a range', async (t) => {
  const called = (callee: object, accounts = rows) =>
    planned(groupOf({ callee: { mode: 'EXTERNAL_URI', ...callee } }), accounts).endpoints.map((e) => e.calleeUri);
  t.same(called({ uri: 'sip:{{to}}@192.0.2.1' }), ['sip:a%23b@192.0.2.1', 'sip:7@192.0.2.1', 'sip:a%23b@192.0.2.1']);
  t.same(called({ uri: 'sip:{{099..100}}@x' }), ['sip:099@x', 'sip:100@x', 'sip:099@x']);
  t.same(called({ uri: 'sip:a@x', uris: ['sip:{{1..2}}@x'] }), ['sip:a@x', 'sip:1@x', 'sip:a@x']);
  const escaped = filledUri('sip:{{to}}@192.0.2.1', {
    account: accountNamed('1', { values: { to: 'x@evil' } }),
    user: '',
  });
  t.equal(escaped, 'sip:x%40evil@192.0.2.1', 'a value leads to no other host');
});

t.test('numbers that count: each caller has its own, in every text', async (t) => {
  const group = groupOf({
    displayName: 'X',
    callerNumber: '+49{{1000..1999}}',
    assertedIdentity: 'tel:+49{{1000..1999}}',
    headers: [{ methods: ['INVITE'], name: 'X-N', value: 'n{{ 08..09 }} {{pin}}' }],
    dtmf: { digits: '{{1000..1999}}#', onMs: 100, offMs: 100, afterMs: 0 },
    callee: { mode: 'EXTERNAL_URI', uri: 'sip:{{5..6}}@x', uris: ['sip:{{7..8}}@x'] },
  });
  const instance = planned(group, rows);
  const { endpoints: sent } = allocateOrder(
    { id: 'r', config: configOf(group), buildupSeconds: 0, durationSeconds: 1, maxExecutionSeconds: 60, endpoints: 3 },
    instance,
    new Map(),
  );
  t.same(sent.columns, [
    { name: '1000..1999', value: ['1000', '1001', '1002'] },
    { name: '08..09', value: ['08', '09', '08'] },
    { name: 'pin', value: ['11', '22', '11'] },
  ]);
  t.same(sent.targetUri, ['sip:5@x', 'sip:7@x', 'sip:6@x']);
  t.same(
    instance.endpoints.map((e) => namesOf(instance, e)[1]),
    ['+491000', '+491001', '+491002'],
    'both ends of its call know it',
  );
  t.equal(valueFault(ownTexts(group), rows), null, 'no account needs a value of that name');
});

t.test('shares of a group at several agents count on', async (t) => {
  const share = { subPopulationId: 's', endpoints: 2, atOnce: 2 };
  const instances = planRun({
    config: configOf(groupOf()),
    buildupSeconds: 0,
    parts: [
      { ...share, workerId: 'w' },
      { ...share, workerId: 'v' },
    ],
    listeners: new Map(['w', 'v'].map((id) => [id, [{ address: '192.0.2.9', port: 5060 }]])),
    registrars: new Map([['trunk', TRUNK]]),
    accounts: new Map(),
    runToken: 'r',
    newId: () => 'id',
  });
  const values = instances.flatMap(({ endpoints }) => columnsOf(['{{1..9}}'], endpoints)[0]?.value);
  t.same(values, ['1', '2', '3', '4']);
});

t.test('header fields by their names', async (t) => {
  const group = groupOf({
    assertedIdentity: 'tel:{{number}}',
    privacy: ['ID', 'USER'],
    diversion: { uri: 'sip:8@x', reason: 'DO_NOT_DISTURB', counter: 3 },
    headers: [{ methods: ['REGISTER', 'BYE'], name: 'X-A', value: 'b' }],
  });
  t.same(headersOf(group), [
    { method: 'INVITE', name: 'P-Asserted-Identity', value: '<tel:{{number}}>' },
    { method: 'INVITE', name: 'Privacy', value: 'id;user' },
    { method: 'INVITE', name: 'Diversion', value: '<sip:8@x>;reason=do-not-disturb;counter=3' },
    { method: 'REGISTER', name: 'X-A', value: 'b' },
    { method: 'BYE', name: 'X-A', value: 'b' },
  ]);
  t.same(headersOf(groupOf()), []);
});

t.test('what accounts lack, or have and cannot be used, is named', async (t) => {
  const fault = (more: object, accounts = rows) => valueFault(ownTexts(groupOf(more)), accounts);
  const keys = (digits: string) => ({ dtmf: { digits, onMs: 100, offMs: 100, afterMs: 0 } });
  t.equal(fault({}), null);
  t.equal(fault(keys('{{pin}}#')), null);
  t.equal(fault(keys('{{code}}')), 'accounts 1, 2 have no value for {{code}}');
  t.match(fault(keys('{{to}}')), /account 1, dtmf.digits is not/);
  t.match(fault({ callerNumber: '{{to}}' }, [accountNamed('9', { values: { to: 'a b' } })]), /account 9, callerNumber/);
  t.match(fault({ callerNumber: '{{pin}}' }, []), /there is no account with that value/);
  const registrars = new Map([['trunk', TRUNK]]);
  t.match(missing(configOf(groupOf(keys('{{code}}'))), registrars, new Map([['trunk', rows]])), {
    code: 'SIP_ACCOUNTS_MISSING',
    message: 'Group callers: accounts 1, 2 have no value for {{code}}.',
  });
  t.equal(missing(configOf(groupOf(keys('{{pin}}'))), registrars, new Map([['trunk', rows]])), null);
});

t.test('keys are judged by the longest value of the accounts, and not by the name of its column', async (t) => {
  const long = [...rows, accountNamed('3', { values: { pin: '1'.repeat(64), to: '7' } })];
  const registrars = new Map([['trunk', TRUNK]]);
  const pressed = (digits: string, seconds: number, accounts = long) => {
    const group = groupOf({ dtmf: { digits, onMs: 100, offMs: 100, afterMs: 1000 }, mediaTracks: [AUDIO] });
    const early = [...digitFaults([group], seconds), ...scenarioFaults([group], seconds)].map((f) => f.message);
    return [
      ...early,
      missing(configOf(group), registrars, new Map([['trunk', accounts]]), new Set(), seconds)?.message,
    ];
  };
  t.same(pressed('{{pin}}#', 2, rows), [undefined], 'as long as its text is, it would not fit');
  t.match(pressed('{{pin}}', 3), [
    /^Group callers: with the values of account 3, the 64 keys of dtmf\.digits are pressed/,
  ]);
  t.same(pressed('{{pin}}', 14), [undefined]);
  t.match(pressed('123456789{{pin}}', 2), [/^takes 2700 ms/, /account 3/], 'what is too long without a value');
  t.match(pressed('{{1000000000..1999999999}}', 2), [/^takes 2900 ms/], 'a number that counts has its length');
  const act = (afterSeconds: number, digits: string) => ({
    trigger: { on: 'ANSWERED', afterSeconds },
    action: { do: 'SEND_DTMF', digits, by: 'RFC4733' },
  });
  const acting = (digits: string, seconds: number) => {
    const group = groupOf({ actions: [act(1, digits)], mediaTracks: [AUDIO] });
    const early = scenarioFaults([group], seconds).map((f) => f.message);
    return [...early, missing(configOf(group), registrars, new Map([['trunk', long]]), new Set(), seconds)?.message];
  };
  t.match(acting('{{pin}}', 3), [/account 3, the 64 keys of actions\.0\.action\.digits/]);
  t.same(acting('{{pin}}', 14), [undefined]);
});
