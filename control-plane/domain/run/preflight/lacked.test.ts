/** What an agent lacks is told by settings: exactly those that it does not know. */
import t from 'tap';
import { ABILITY_SETTINGS, type Ability } from '../group/ability-settings.ts';
import { lackedSettings } from './lacked.ts';

const NAMES = Object.keys(ABILITY_SETTINGS) as Ability[];
const ALL = {
  audioCodecs: ['PCMU', 'PCMA', 'G722', 'OPUS', 'L16'],
  videoCodecs: ['VP8', 'H264'],
  encryptions: ['SDES', 'DTLS'],
  mediaSources: ['TONE', 'SPEECH', 'SILENCE', 'PATTERN', 'FILE'],
  sipAbilities: [...NAMES, 'LOAD over WebSocket'],
};

t.test('an agent that knows everything lacks nothing, and more than we know is no lack', async (t) => {
  t.same(lackedSettings(ALL), []);
  t.same(
    lackedSettings({ ...ALL, audioCodecs: [...ALL.audioCodecs, 'EVS'], sipAbilities: [...ALL.sipAbilities, 'X'] }),
    [],
  );
});

t.test('each ability that is missing is told by its settings, and nothing else is', async (t) => {
  for (const name of NAMES)
    t.same(
      lackedSettings({ ...ALL, sipAbilities: ALL.sipAbilities.filter((one) => one !== name) }),
      [ABILITY_SETTINGS[name]],
      name,
    );
  t.equal(new Set(Object.values(ABILITY_SETTINGS)).size, NAMES.length, 'no two have the same words');
});

t.test('so is each codec, encryption and source', async (t) => {
  for (const [field, word] of [
    ['audioCodecs', 'codec'],
    ['videoCodecs', 'codec'],
    ['encryptions', 'encryption'],
    ['mediaSources', 'source'],
  ] as const)
    for (const name of ALL[field])
      t.same(lackedSettings({ ...ALL, [field]: ALL[field].filter((one) => one !== name) }), [`${word} ${name}`]);
});

t.test('older agents did not know these lists', async (t) => {
  t.same(lackedSettings({ ...ALL, sipAbilities: NAMES }), ['more than plain calls over WebSocket']);
  const first = lackedSettings({ audioCodecs: ALL.audioCodecs });
  t.equal(first.length, 2 + 2 + 2 + 3 + NAMES.length, 'video, encryptions, sources, what is not reported, SIP');
  for (const setting of ['impaired network', 'DSCP', 'source FILE']) t.ok(first.includes(setting), setting);
  t.notOk(first.includes('source TONE'));
});
