/** A setting is in one table: everything that reads a test knows it, uses the same default, and agents know its name. */
import { wire } from '@carillon/proto';
import t from 'tap';
import * as z from 'zod';
import { draftOf } from '../../dashboard/show/test-form/drafts/test-draft.ts';
import { yamlOf } from '../../dashboard/show/test-form/test-yaml.ts';
import { asTest } from '../../dashboard/show/test-form/written-test.ts';
import { scenarioFaults, withScenario } from '../../domain/run/group/scenario.ts';
import { ProvisionFile, type ProvisionGroup } from '../provision.ts';
import {
  AGENT_SETTINGS,
  defaultsOf,
  GROUP_SETTINGS,
  SUB_POPULATION_SETTINGS,
  settingsOf,
  TRACK_SETTINGS,
} from './settings.ts';
import { Ice } from './stream-fields.ts';
import { Group } from './test.ts';
import { GroupBody, ProbeCall } from './test-body.ts';

const GROUP = {
  name: 'callers',
  callee: { mode: 'EXTERNAL_URI' as const, uri: 'sip:9@pbx.example' },
  placement: { mode: 'REGION' as const, region: 'local' },
  subPopulations: [{ name: 'all', role: 'CALLER' as const, endpoints: 1 }],
};

const written = (more: object) => GroupBody.parse({ ...GROUP, registrarId: 'r', ...more });
const provisioned = (more: object) => {
  const test = { slug: 't', name: 'T', durationSeconds: 5, groups: [{ ...GROUP, registrar: 'pbx', ...more }] };
  const projects = [{ slug: 'p', name: 'P', tests: [test] }];
  const file = ProvisionFile.parse({ organizations: [{ slug: 'o', name: 'O', projects }] });
  return file.organizations[0]?.projects[0]?.tests[0]?.groups[0] as ProvisionGroup;
};

t.test('absent values mean the same in every notation', async (t) => {
  for (const group of [written({}), provisioned({})]) {
    t.same(settingsOf(GROUP_SETTINGS, group), defaultsOf(GROUP_SETTINGS));
    for (const one of group.subPopulations)
      t.same(settingsOf(SUB_POPULATION_SETTINGS, one), defaultsOf(SUB_POPULATION_SETTINGS));
    for (const track of group.mediaTracks) t.same(settingsOf(TRACK_SETTINGS, track), defaultsOf(TRACK_SETTINGS));
  }
});

t.test('what is meant where nothing is said could be said', async (t) => {
  for (const [name, { schema, fallback }] of Object.entries({
    ...GROUP_SETTINGS,
    ...SUB_POPULATION_SETTINGS,
    ...TRACK_SETTINGS,
  }))
    t.same(z.safeParse(schema, fallback).data, fallback, name);
});

t.test('answers have every setting', async (t) => {
  for (const name of Object.keys(GROUP_SETTINGS)) t.ok(name in Group.shape, name);
});

t.test('agents know each setting that they are told by its name', async (t) => {
  for (const name of Object.keys(AGENT_SETTINGS)) t.ok(name in wire.agent.v1.Group.prototype, name);
});

t.test('a text says what is not as where nothing is said', async (t) => {
  const none = new Map();
  const group = { ...GROUP, registrarId: 'r', signalling: { ringSeconds: 180, answerDelaySeconds: 0 }, rtcpMux: true };
  const test = asTest({ name: 'T', durationSeconds: 5, groups: [group] }, null);
  const text = yamlOf(test, { registrars: none, workers: none, accounts: none, mediaFiles: none });
  t.match(text, /ringSeconds: 180/, 'a provisional status is another field');
  t.match(text, /rtcpMux: true/);
  t.notMatch(text, /answerDelaySeconds|encryption|impairment/);
});

t.test('calls of endpoints may be written, null too, in a file and in the form', async (t) => {
  const subPopulation = { name: 'all', role: 'CALLER' as const, endpoints: 3 };
  const none = new Map();
  const names = { registrars: none, workers: none, accounts: none, mediaFiles: none };
  const draw = (more: object) => {
    const group = { ...GROUP, registrarId: 'r', subPopulations: [{ ...subPopulation, ...more }] };
    return asTest({ name: 'T', durationSeconds: 5, groups: [group] }, null);
  };
  for (const calls of [null, 7]) {
    t.equal(written({ subPopulations: [{ ...subPopulation, calls }] }).subPopulations[0]?.calls, calls);
    t.match(yamlOf(draw({ calls }), names), `calls: ${calls}`);
    t.equal(draftOf(draw({ calls }), [])?.callsEach, calls);
  }
  t.notMatch(yamlOf(draw({}), names), /calls:/);
  t.equal(draftOf(draw({}), [])?.callsEach, 1);
});

t.test('a group in several regions is in its own, too', async (t) => {
  const placement = { mode: 'REGION', region: 'eu', regions: { eu: 2, us: 1 } };
  t.same(written({ placement }).placement, placement);
  for (const regions of [{ us: 1 }, {}, { eu: 0 }, { eu: 1.5 }, { eu: 1, 'not a slug': 1 }])
    t.throws(() => written({ placement: { ...placement, regions } }), JSON.stringify(regions));
});

t.test('nobody need be called to register', async (t) => {
  const { callee: _, ...group } = GROUP;
  t.same(GroupBody.parse({ ...group, registrarId: 'r', mode: 'REGISTER' }).callee, { mode: 'NONE' });
  t.same(ProbeCall.parse({ registrarId: 'r', placement: GROUP.placement }).callee, { mode: 'NONE' });
  const faults = (mode: 'CALL' | 'REGISTER' | 'OPTIONS', callee: object) =>
    scenarioFaults([{ ...withScenario(written({ mode, callee })), mode }] as never, 5).map(({ path }) =>
      path.join('.'),
    );
  const uri = { mode: 'EXTERNAL_URI', uri: 'sip:9@x' };
  t.same(faults('REGISTER', { mode: 'NONE' }), []);
  t.same(faults('REGISTER', uri), []);
  t.same(faults('REGISTER', { mode: 'RECEIVE' }), ['groups.0.callee.mode']);
  t.same(faults('CALL', { mode: 'NONE' }), ['groups.0.callee.mode']);
  t.same(faults('OPTIONS', { mode: 'NONE' }), ['groups.0.callee.mode']);
  t.same(faults('OPTIONS', uri), []);
});

t.test('how callers name themselves, and header fields', async (t) => {
  const settings = (more: object) => GroupBody.safeParse({ ...GROUP, registrarId: 'r', ...more });
  const header = (more: object) => ({ headers: [{ name: 'X-Own', value: 'a {{pin}}', ...more }] });
  for (const sound of [
    { callerNumber: '+4930{{pin}}' },
    { callerNumber: '+49{{1000..1999}}' },
    { callerNumber: '{{Caller ID}}@home.example:5070' },
    { assertedIdentity: 'tel:{{number}}' },
    { assertedIdentity: 'sip:{{number}}@home.example;user=phone' },
    { privacy: ['ID', 'USER'] },
    { diversion: { uri: 'sip:1@x' } },
    header({ methods: ['BYE', 'REGISTER'] }),
    { dtmf: { digits: '{{pin}}#' } },
    { callee: { mode: 'EXTERNAL_URI', uri: 'sip:{{0100..0199}}@x', uris: ['sip:{{callee}}@x'] } },
  ])
    t.ok(settings(sound).success, JSON.stringify(sound));
  for (const wrong of [
    { callerNumber: '' },
    { callerNumber: 'sip:1@x' },
    { callerNumber: 'two words' },
    { callerNumber: '{{}}' },
    { assertedIdentity: '+4930' },
    { assertedIdentity: 'sip:1@x>\r\nVia: y' },
    { privacy: ['NONE', 'ID'] },
    { privacy: ['ID', 'ID'] },
    { diversion: { uri: 'sip:1@x', reason: 'WEATHER' } },
    header({ name: 'Via' }),
    header({ name: 'v' }),
    header({ name: 'X Own' }),
    header({ name: 'Content-Length' }),
    header({ value: 'a\r\nb' }),
    header({ value: '' }),
    header({ methods: [] }),
    header({ methods: ['ACK'] }),
    { dtmf: { digits: '{{pin}' } },
    { dtmf: { digits: `${'1'.repeat(61)}{{1000..1999}}` } },
  ])
    t.notOk(settings(wrong).success, JSON.stringify(wrong));
  for (const wrong of [
    { callerNumber: '{{1999..1000}}' },
    header({ value: 'a{{1999..1000}}' }),
    { dtmf: { digits: '{{1999..1000}}' } },
    { callee: { mode: 'EXTERNAL_URI', uri: 'sip:{{1999..1000}}@x' } },
  ])
    t.match(
      settings(wrong).error?.issues[0]?.message,
      'counts down in {{1999..1000}}: write the smaller number first, {{1000..1999}}',
      JSON.stringify(wrong),
    );
  const callerNumber = '{{number}}';
  t.equal(provisioned({ callerNumber }).callerNumber, callerNumber);
});

t.test('a display name may be written, and is kept by what does not show it', async (t) => {
  const displayName = 'Zoë "Q" Müller';
  t.equal(provisioned({ displayName }).displayName, displayName);
  for (const wrong of ['', 'x'.repeat(101), 'two\r\nlines', 7])
    t.notOk(GroupBody.safeParse({ ...GROUP, registrarId: 'r', displayName: wrong }).success, JSON.stringify(wrong));
  const none = new Map();
  const draw = (more: object) => {
    const body = { name: 'T', durationSeconds: 5, groups: [{ ...GROUP, registrarId: 'r', ...more }] };
    return asTest(body, null);
  };
  const text = yamlOf(draw({ displayName }), { registrars: none, workers: none, accounts: none, mediaFiles: none });
  t.match(text, `displayName: ${displayName}`);
  t.ok(draftOf(draw({}), []));
  t.equal(draftOf(draw({ displayName }), [])?.group.displayName, displayName);
  t.equal(draftOf(draw({ packetMs: 40 }), [])?.group.packetMs, 40);
  t.equal(draftOf(draw({ rtcpMux: true }), [])?.group.rtcpMux, true);
});

t.test('TURN is refused by name, and invalid servers', (t) => {
  const said = (ice: string): string => Ice.safeParse(ice).error?.issues[0]?.message ?? '';
  for (const turn of ['turn:turn.example.net', 'turns:192.0.2.1:5349'])
    t.match(said(turn), /^TURN is not supported: use HOST, or a STUN server/, turn);
  t.match(said('stuns:stun.example.net'), /^is NONE, HOST, or a STUN server/);
  for (const good of ['NONE', 'HOST', 'stun:stun.example.net', 'stun:192.0.2.1:3478', 'stun:[2001:db8::1]:3478'])
    t.equal(said(good), '', good);
  t.end();
});
