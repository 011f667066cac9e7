/** What is wrong with a body is named, with its place. */
import t from 'tap';
import { openWrites } from '../../../testing/writes.ts';

const { api, lab, fresh, make, registrar, newRegistrar, idOf, newAccounts, webhook, pattern, media, test, probe } =
  await openWrites(t);
const { ask, hiddenId, workerIds } = api;

t.test('what is wrong with a body is named', async (t) => {
  const theirWorker = workerIds['theirs'] as string;
  const none = '01900000-0000-7000-8000-000000000000';
  const [callers, callees] = test().groups;
  const groups = (more: object) => test({ groups: [{ ...callers, ...more }, callees] });
  const pbx = idOf(await newRegistrar());
  const file = (mediaFileId: unknown, source = 'FILE') =>
    groups({ mediaTracks: [{ kind: 'AUDIO', source, mediaFileId }] });
  const tracks = (...mediaTracks: object[]) => groups({ mediaTracks });
  const clip = idOf(await make(`${lab}/media-files`, { name: fresh('clip'), content: pattern('pattern.ivf') }));
  const sound = idOf(await make(`${lab}/media-files`, media()));
  const film = (videoCodecs: string[], mediaFileId: unknown) =>
    groups({ videoCodecs, mediaTracks: [{ kind: 'AUDIO' }, { kind: 'VIDEO', source: 'FILE', mediaFileId }] });
  const [foreignAccount] = await newAccounts(await newRegistrar(), ['1']);
  const subs = (more: object) => groups({ subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1, ...more }] });
  const rows: [string, string, object | string, string[], RegExp][] = [
    ['nothing', 'tests', {}, ['name', 'durationSeconds', 'groups'], /name: is required/],
    ['a list', 'tests', [], [''], /must be an object, not (a list|null)/],
    ['null', 'tests', 'null', [''], /must be an object, not (a list|null)/],
    ['an unknown field', 'tests', test({ colour: 'blue' }), ['colour'], /colour: unknown field/],
    ['an unknown field inside', 'tests', groups({ colour: 1 }), ['groups[0].colour'], /unknown field/],
    ['a name of the path', 'tests', test({ projectId: hiddenId }), ['projectId'], /unknown field/],
    [
      'a prototype',
      'tests',
      JSON.stringify(test()).replace('{', '{"__proto__":{"a":1},'),
      ['__proto__'],
      /unknown field/,
    ],
    ['no registrar', 'tests', groups({ registrarId: none }), ['groups[0].registrarId'], /no registrar has the id/],
    ['no id', 'tests', groups({ registrarId: 'cloud' }), ['groups[0].registrarId'], /no registrar has the id cloud/],
    [
      'their worker',
      'tests',
      groups({ placement: { mode: 'WORKERS', workerIds: [workerIds['edge-1'], theirWorker] } }),
      ['groups[0].placement.workerIds[1]'],
      /no worker/,
    ],
    [
      'another registrar’s account',
      'tests',
      subs({ sipAccountIds: [foreignAccount?.id] }),
      ['groups[0].subPopulations[0].sipAccountIds[0]'],
      /has no account/,
    ],
    ['no media file', 'tests', file(none), ['groups[0].mediaTracks[0].mediaFileId'], /no media file/],
    ['FILE without one', 'tests', file(null), ['groups[0].mediaTracks[0].mediaFileId'], /source FILE/],
    ['one without FILE', 'tests', file(none, 'TONE'), ['groups[0].mediaTracks[0].mediaFileId'], /source FILE/],
    [
      'no such group',
      'tests',
      groups({ callee: { mode: 'GROUP', group: 'nobody' } }),
      ['groups[0].callee.group'],
      /names no group/,
    ],
    [
      'no such group id',
      'tests',
      groups({ callee: { mode: 'GROUP', groupId: none } }),
      ['groups[0].callee.group'],
      /names no group/,
    ],
    [
      'two words for a group',
      'tests',
      groups({ callee: { mode: 'GROUP', group: 'callees', groupId: none } }),
      ['groups[0].callee'],
      /groupId/,
    ],
    ['itself', 'tests', groups({ callee: { mode: 'GROUP', group: 'callers' } }), ['groups[0].callee.group'], /RECEIVE/],
    ['nobody who could call', 'tests', test({ groups: [callees] }), ['groups[0].callsFrom'], /use ANYBODY/],
    ['too many callers', 'tests', subs({ endpoints: 2 }), ['groups[0].callee.group'], /2 callers for the 1 callees/],
    [
      'a callee that calls',
      'tests',
      subs({ role: 'CALLEE' }),
      ['groups[0].subPopulations[0].role'],
      /CALLER sub-populations only/,
    ],
    ['cloud and SIP server', 'tests', groups({ registrarId: pbx }), ['groups[0].registrarId'], /must both/],
    [
      'no SIP URI',
      'tests',
      groups({ callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@pbx.example:0' } }),
      ['groups[0].callee.uri'],
      /port/,
    ],
    ['a name twice', 'tests', test({ groups: [callees, callees] }), ['groups'], /each group must be unique/],
    [
      'an id twice',
      'tests',
      test({
        groups: [
          { ...callers, id: 'a' },
          { ...callees, id: 'a' },
        ],
      }),
      ['groups'],
      /each group id/,
    ],
    ['half a second', 'tests', test({ buildup: 1.5 }), ['buildup'], /must be a whole number from 0 to 86400/],
    [
      'very many endpoints',
      'tests',
      groups({
        callee: { mode: 'EXTERNAL_URI', uri: 'sip:a@b' },
        subPopulations: Array(11).fill({ name: 'all', role: 'CALLER', endpoints: 100_000 }),
      }),
      ['groups'],
      /1100001 endpoints/,
    ],
    ['NUL', 'tests', test({ name: 'a\u0000b' }), ['name'], /NUL/],
    ['half a character', 'tests', test({ description: 'a\ud800' }), ['description'], /half/],
    ['a bad slug', 'tests', test({ slug: 'Not A Slug' }), ['slug'], /slug/],
    ['encryption', 'tests', groups({ encryption: 'SRTP' }), ['groups[0].encryption'], /NONE/],
    ['no codec', 'tests', groups({ audioCodecs: ['SPEEX'] }), ['groups[0].audioCodecs[0]'], /OPUS/],
    ['a codec twice', 'tests', groups({ audioCodecs: ['PCMU', 'PCMU'] }), ['groups[0].audioCodecs'], /must be unique/],
    [
      'video without a track',
      'tests',
      groups({ videoCodecs: ['VP8'] }),
      ['groups[0].videoCodecs'],
      /track of kind VIDEO/,
    ],
    [
      'a track without a codec',
      'tests',
      tracks({ kind: 'AUDIO' }, { kind: 'VIDEO' }),
      ['groups[0].mediaTracks[1].kind'],
      /videoCodecs/,
    ],
    [
      'a track too many',
      'tests',
      tracks({ kind: 'AUDIO' }, { kind: 'AUDIO', source: 'SPEECH' }),
      ['groups[0].mediaTracks[1].kind'],
      /AUDIO already/,
    ],
    [
      'a tone as video',
      'tests',
      tracks({ kind: 'VIDEO', source: 'TONE' }),
      ['groups[0].mediaTracks[0].source'],
      /PATTERN/,
    ],
    ['video as sound', 'tests', file(clip), ['groups[0].mediaTracks[0].mediaFileId'], /is video/],
    ['sound as video', 'tests', film(['VP8'], sound), ['groups[0].mediaTracks[1].mediaFileId'], /audio recording/],
    [
      'video in another codec',
      'tests',
      film(['VP8', 'H264'], clip),
      ['groups[0].mediaTracks[1].mediaFileId'],
      /is VP8, and is sent as it is/,
    ],
    [
      'no audio',
      'tests',
      groups({ videoCodecs: ['VP8'], mediaTracks: [{ kind: 'VIDEO' }] }),
      ['groups[0].mediaTracks'],
      /track of kind AUDIO/,
    ],
    ['no SDP of media', 'tests', groups({ sdp: 'NONE' }), ['groups[0].sdp'], /mediaTracks: \[\]/],
    [
      'loss of no media',
      'tests',
      groups({ mediaTracks: [], impairment: { lossPercent: 1 } }),
      ['groups[0].impairment'],
      /no mediaTracks/,
    ],
    ['a DSCP', 'tests', tracks({ kind: 'AUDIO', dscp: 64 }), ['groups[0].mediaTracks[0].dscp'], /63/],
    [
      'digits where nothing is sent',
      'tests',
      groups({ dtmf: { digits: '1' }, mediaTracks: [{ kind: 'AUDIO', direction: 'RECEIVE' }] }),
      ['groups[0].dtmf'],
      /AUDIO that sends/,
    ],
    [
      'digits after the call',
      'tests',
      { ...groups({ dtmf: { digits: '12', afterMs: 2701 } }), durationSeconds: 3 },
      ['groups[0].dtmf'],
      /takes 3001 ms from the answer, and a call lasts 3 s/,
    ],
    ['no digits', 'tests', groups({ dtmf: { digits: '12x' } }), ['groups[0].dtmf.digits'], /0-9/],
    ['loss', 'tests', groups({ impairment: { lossPercent: 91 } }), ['groups[0].impairment.lossPercent'], /90/],
    ['the cloud', 'registrars', registrar({ slug: 'cloud' }), ['slug'], /built-in/],
    ['a URI without host', 'registrars', registrar({ outboundProxyUri: 'sip:;lr' }), ['outboundProxyUri'], /host/],
    ['http', 'registrars', registrar({ uri: 'http://pbx' }), ['uri'], /sip:/],
    ['no interval', 'probes', probe({ fixedIntervalSec: null }), ['fixedIntervalSec'], /300/],
    ['an odd interval', 'probes', probe({ fixedIntervalSec: 301 }), ['fixedIntervalSec'], /./],
    ['no expression', 'probes', probe({ scheduleType: 'CRON' }), ['cronExpression'], /expression/],
    [
      'an instant',
      'probes',
      probe({ scheduleType: 'CRON', cronExpression: '2027-03-28T02:30:00' }),
      ['cronExpression'],
      /five fields/,
    ],
    ['no time zone', 'probes', probe({ timezone: 'Mars/Olympus' }), ['timezone'], /time zone/],
    ['no parent', 'probes', probe({ parentProbeId: none }), ['parentProbeId'], /no probe/],
    [
      'a registrar that is gone',
      'probes',
      { ...probe(), test: { ...probe().test, registrarId: none } },
      ['test.registrarId'],
      /no registrar/,
    ],
    [
      'an unknown metric',
      'probes',
      probe({ thresholds: [{ metricKey: 'luck', greenValue: 1, orangeValue: 2 }] }),
      ['thresholds[0].metricKey'],
      /./,
    ],
    [
      'a metric twice',
      'probes',
      probe({ thresholds: [1, 2].map((greenValue) => ({ metricKey: 'asr', greenValue, orangeValue: 0 })) }),
      ['thresholds'],
      /must be unique/,
    ],
    ['no URL', 'webhooks', { ...webhook(), url: 'hooks.example' }, ['url'], /http/],
    ['no event', 'webhooks', { ...webhook(), events: [] }, ['events'], /./],
    ['a short secret', 'webhooks', { ...webhook(), secret: 'short' }, ['secret'], /24/],
  ];
  for (const [what, where, body, paths, message] of rows) {
    const reply = await ask('POST', `${lab}/${where}`, body);
    t.match(reply, { status: 422, code: 'VALIDATION_ERROR', message }, `${what}: ${reply.status} ${reply.message}`);
    t.same(reply.paths, paths, what);
  }
  t.match(await ask('POST', `${lab}/tests`, '{"a":'), { status: 400, code: 'BAD_REQUEST' });
  const xml = { headers: { 'content-type': 'application/xml' } };
  t.match(await ask('POST', `${lab}/tests`, '<a/>', xml), { status: 400, code: 'BAD_REQUEST' });
  t.match(await ask('POST', `${lab}/tests`), { status: 422 }, 'no body');
  const long = await ask('POST', `${lab}/tests`, test({ description: 'x'.repeat(2 ** 20) }));
  t.match(long, { status: 400, code: 'BAD_REQUEST', message: /longer than 1048576 bytes/ });
  const wide = await ask('POST', `${lab}/tests`, `{"groups":[${'0,'.repeat(300_000)}0]}`);
  t.match(wide, { status: 422, message: /200000 values/ });
  const many = await ask('POST', `${lab}/tests`, test({ groups: Array(1000).fill(0) }));
  t.equal(many.paths.length, 100, 'a hundred mistakes are told');
  const self = await make(`${lab}/probes`, probe());
  t.match(await ask('PATCH', self, { parentProbeId: idOf(self) }), { status: 422, paths: ['parentProbeId'] });
  t.match(await ask('PATCH', self, { scheduleType: 'CRON' }), { status: 422, paths: ['cronExpression'] });
  for (const cronExpression of ['2027-03-28T02:30:00', '0 0 2 * * *'])
    t.match(await ask('PATCH', self, { scheduleType: 'CRON', cronExpression }), {
      status: 422,
      paths: ['cronExpression'],
    });
  const trimmed = await ask('PATCH', self, { scheduleType: 'CRON', cronExpression: ' 0 2 * * *\n' });
  t.match(trimmed, { status: 200, data: { cronExpression: /^0 2 \* \* \*$/ } });
});
