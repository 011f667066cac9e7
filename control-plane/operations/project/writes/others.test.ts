/** Recordings, webhooks, probes. */
import t from 'tap';
import { draftOfProbe, probeBody as probeBodyOf } from '../../../dashboard/show/probe/probe-draft.ts';
import { openIn } from '../../../store/secrets/sealing.ts';
import { wavBase64 } from '../../../testing/api.ts';
import { openWrites } from '../../../testing/writes.ts';

const { api, db, lab, make, newRegistrar, idOf, newAccounts, webhook, pattern, probe } = await openWrites(t);
const { ask } = api;

t.test('a recording is stored with its kind and length', async (t) => {
  const where = `${lab}/media-files`;
  const content = wavBase64(1500, 16_000, 16);
  const made = await ask('POST', where, { name: 'welcome', content });
  t.match(made.data, {
    name: 'welcome',
    kind: 'AUDIO',
    video: null,
    durationMs: 1500,
    sampleRateHz: 16_000,
    channels: 1,
    bitsPerSample: 16,
    sizeBytes: 48_044,
  });
  const stored = await db
    .selectFrom('media_files')
    .where('id', '=', made.data.id)
    .selectAll()
    .executeTakeFirstOrThrow();
  t.equal(stored.content.toString('base64'), content);
  const { createHash } = await import('node:crypto');
  t.equal(made.data.sha256, createHash('sha256').update(stored.content).digest('hex'));
  t.equal((await ask('GET', lab)).data.mediaFileCount, (await ask('GET', where)).total);
  t.match(await ask('POST', where, { name: 'welcome', content }), { status: 409, message: /welcome already/ });
  for (const [name, codec] of [
    ['pattern.ivf', 'VP8'],
    ['pattern.h264', 'H264'],
  ] as const) {
    const film = await ask('POST', where, { name, content: pattern(name) });
    const { durationMs, video, ...rest } = film.data;
    t.match(rest, { kind: 'VIDEO', sampleRateHz: null, channels: null, bitsPerSample: null }, film.message);
    t.match(video, { codec, framesPerSecond: 15 });
    t.equal(durationMs, Math.round((video.frames * 1000) / 15));
    t.same((await ask('GET', `${where}/${film.data.id}`)).data, film.data);
  }
  const rows: [string, string, RegExp][] = [
    [
      'a video that is cut off',
      Buffer.from(pattern('pattern.ivf'), 'base64').subarray(0, 500).toString('base64'),
      /in the middle of frame/,
    ],
    ['no base64', 'ÄÖ', /not base64/],
    ['without padding', content.replace(/=+$/, '').slice(0, -1), /not base64/],
    ['no WAV', Buffer.from('hello, this is text').toString('base64'), /begin with RIFF/],
    ['cut off', Buffer.from(content, 'base64').subarray(0, 100).toString('base64'), /ends early/],
    ['11 minutes', wavBase64(660_000, 8000, 8), /lasts 660000 ms/],
    ['over 20 MiB', wavBase64(218_500, 48_000, 16), /over 20971520/],
  ];
  for (const [what, wrong, message] of rows) {
    const reply = await ask('POST', where, { name: 'x', content: wrong });
    t.match(reply, { status: 422, code: 'VALIDATION_ERROR', paths: ['content'], message }, `${what}: ${reply.message}`);
  }
  const largest = await ask('POST', where, { name: 'largest', content: wavBase64(327_000, 32_000, 16) });
  t.equal(largest.status, 201, largest.message);
  t.match(await ask('POST', where, { name: 'x', content: 'A'.repeat(30_000_000) }), {
    status: 400,
    message: /longer than/,
  });
});

t.test('webhooks tell their secret once', async (t) => {
  const made = await ask('POST', `${lab}/webhooks`, webhook());
  t.match(made.data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.equal(Buffer.from(made.data.secret.slice(6), 'base64').length, 32);
  const url = `${lab}/webhooks/${made.data.id}`;
  const given = 'a secret of twenty-four letters';
  const own = await ask('POST', `${lab}/webhooks`, { ...webhook(), secret: given });
  t.equal(own.data.secret, given);
  const later = [
    await ask('GET', url),
    await ask('GET', `${lab}/webhooks?per_page=100`),
    await ask('PATCH', url, { secret: `${given} and more` }),
    await ask('DELETE', `${lab}/webhooks/${own.data.id}`),
  ];
  for (const { status, text } of later) {
    t.equal(status, 200);
    t.notMatch(text, /whsec_|secret/);
  }
  const row = await db.selectFrom('webhooks').where('id', '=', made.data.id).select('secret').executeTakeFirst();
  const sealed = { table: 'webhooks', id: made.data.id } as const;
  t.equal(openIn(db, sealed, row?.secret as Buffer).reveal(), `${given} and more`);
  const other = await ask('POST', `${lab}/webhooks`, webhook());
  const same = await ask('PATCH', url, { url: other.data.url });
  t.match(same, { status: 409, code: 'CONFLICT', message: /has a webhook for/ });
  t.match(await ask('POST', `${lab}/webhooks`, { url: other.data.url, events: ['incident.opened'] }), { status: 409 });
});

t.test("a probe's call has what a group's has, and its form keeps it", async (t) => {
  const { test: call, ...rest } = probe();
  const said = {
    ...{ ice: 'stun:192.0.2.3', rtcpMux: true, registerRetry: { afterSeconds: 2, withinSeconds: 20 } },
    signalling: {
      sessionTimer: { expiresSeconds: 600, minSeconds: 90, refresher: 'UAC' },
      reliableProvisional: 'SUPPORTED',
    },
  };
  const registrarId = idOf(await newRegistrar());
  await newAccounts(`${lab}/registrars/${registrarId}`, ['1001']);
  const url = await make(`${lab}/probes`, { ...rest, test: { ...call, registrarId, ...said } });
  const { data } = await ask('GET', url);
  t.match(data.test, said);
  const written = await ask('PATCH', url, probeBodyOf(draftOfProbe(data), data));
  t.same(written.data?.test, data.test, written.message);
  const draft = draftOfProbe(data);
  const other = { ...draft, test: { ...draft.test, ice: 'NONE', rtcpMux: false } };
  const changed = await ask('PATCH', url, probeBodyOf(other, data));
  t.match(changed.data.test, { ...said, ice: 'NONE', rtcpMux: false });
  const refused = await ask('PATCH', url, { test: { ...call, registrarId, ice: 'turn:x' } });
  t.match(refused, { status: 422, paths: ['test.ice'] });
});

t.test('a probe that is enabled again is not paused', async (t) => {
  const url = await make(`${lab}/probes`, probe());
  const parent = await make(`${lab}/probes`, probe());
  const paused = { enabled: false, auto_paused_at: new Date(), auto_pause_reason: 'open for 4 h' };
  await db.updateTable('probes').set(paused).where('id', '=', idOf(url)).execute();
  t.match((await ask('PATCH', url, { name: 'Still paused' })).data, {
    enabled: false,
    autoPauseReason: 'open for 4 h',
  });
  const again = await ask('PATCH', url, { enabled: true, parentProbeId: idOf(parent) });
  t.match(again.data, { enabled: true, autoPausedAt: null, autoPauseReason: null, parentProbeId: idOf(parent) });
  const changed = await ask('PATCH', url, {
    thresholds: [
      { metricKey: 'avgMos', greenValue: 4.1, orangeValue: 3.6, enabled: false },
      { metricKey: 'asr', greenValue: 99, orangeValue: 90 },
    ],
  });
  const before = again.data.thresholds[0].id;
  t.same(
    changed.data.thresholds.map((x: { metricKey: string; enabled: boolean }) => [x.metricKey, x.enabled]),
    [
      ['asr', true],
      ['avgMos', false],
    ],
  );
  t.equal(changed.data.thresholds[1].id, before, 'a threshold keeps its id');
  t.equal((await ask('DELETE', parent)).status, 200);
  t.equal((await ask('GET', url)).data.parentProbeId, null, 'children outlive their parent');
});
