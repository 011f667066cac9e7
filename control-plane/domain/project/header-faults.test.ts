/** Header fields that would never be sent, or sent twice, are refused by name. */
import t from 'tap';
import { GroupBody } from '../../contract/test-settings/test-body.ts';
import type { RegistrarPlan } from '../run/plan/plan.ts';
import { groupDrafts } from './api-draft.ts';
import { draftFaults } from './test-draft.ts';

const CALLERS = {
  callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@192.0.2.1' },
  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
};
const CALLEES = { callee: { mode: 'RECEIVE' }, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 1 }] };

const PBX = { id: 'pbx', uri: 'sip:192.0.2.1', isCloud: false, outboundProxyUri: null, protocol: 'UDP', tls: null };

const faults = (more: object, register = true): string[] => {
  const region = { mode: 'REGION', region: 'local' };
  const group = GroupBody.parse({ name: 'g', registrarId: 'pbx', placement: region, ...CALLERS, ...more });
  const registrars = new Map<string, RegistrarPlan>([['pbx', { ...PBX, register }]]);
  const none = { workers: new Set<string>(), accounts: new Map(), columns: new Map(), mediaFiles: new Map() };
  const words = {
    registrar: { field: 'registrarId', by: 'id' },
    workers: { field: 'workerIds', by: 'id' },
    accounts: 'sipAccountIds',
    mediaFile: 'mediaFileId',
  };
  const draft = {
    groups: groupDrafts([group]),
    thresholds: [],
    load: { shape: 'BUILDUP' },
    breaker: null,
    maxExecutionSeconds: null,
    durationSeconds: 5,
  };
  return draftFaults(draft as never, { registrars, words, ...none }).map(
    ({ path, message }) => `${path.slice(2).join('.')}: ${message}`,
  );
};
const header = (methods: string[], name = 'X-Own') => ({ headers: [{ methods, name, value: 'a' }] });

t.test('what is sent is taken', async (t) => {
  t.same(faults(header(['INVITE', 'BYE', 'REGISTER'])), []);
  t.same(faults({ ...CALLEES, ...header(['BYE', 'REGISTER']) }), []);
  const transfer = {
    trigger: { on: 'ANSWERED', afterSeconds: 0 },
    action: { do: 'ATTENDED_TRANSFER', target: 'sip:8@192.0.2.1' },
  };
  t.same(faults({ ...CALLEES, ...header(['INVITE']), actions: [transfer] }), [], 'that call is one that they make');
  t.same(faults({ ...header(['BYE'], 'Diversion'), diversion: { uri: 'tel:1' } }), [], 'only INVITE has the other');
  t.same(faults(header(['INVITE'], 'Privacy')), [], 'once');
});

t.test('what would never be sent is refused', async (t) => {
  const none = /INVITE is sent by callers, and the group has none/;
  t.match(faults({ ...CALLEES, ...header(['INVITE', 'BYE']) }), [none]);
  t.match(faults({ ...CALLEES, diversion: { uri: 'tel:1' } }), [/^diversion: is for callers/]);
  t.match(faults(header(['REGISTER']), false), [
    /^headers\.0\.methods: REGISTER is not sent: the group does not register/,
  ]);
});

t.test('a field that is said twice is refused', async (t) => {
  for (const [name, said] of [
    ['P-Asserted-Identity', { assertedIdentity: 'tel:1' }],
    ['PRIVACY', { privacy: ['ID'] }],
    ['diversion', { diversion: { uri: 'tel:1' } }],
  ] as const)
    t.match(faults({ ...header(['INVITE'], name), ...said }), [/^headers\.0\.name: is already sent for /], name);
});
