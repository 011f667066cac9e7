/** Webhooks from an announcement to a real HTTP server, and all failures on the way. Time is passed in. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { openCourier } from '../../courier/courier.ts';
import { EDITOR, FOREIGN, openApi } from '../../testing/api.ts';
import { FakeAgent, TOKENS } from '../../testing/world.ts';
import { retain } from '../retain.ts';
import { announce } from './announce.ts';

const api = await openApi(t);
const { world, ask, projectId } = api;
const { ports, database } = world;
const options = { allowPrivate: true, allowHttp: true };
const courier = openCourier(options);
Object.assign(ports, { courier });
const lab = `/projects/${projectId}`;
const { organizationId } = await database.db
  .selectFrom('projects')
  .where('id', '=', projectId)
  .select('organization_id as organizationId')
  .executeTakeFirstOrThrow();

type Hit = { readonly headers: Record<string, string>; readonly body: string };

/** A receiver that answers as told at the time; 0: not at all. */
async function receiver(answer: { status: number; location?: string }) {
  const hits: Hit[] = [];
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
    hits.push({ headers: incoming.headers as Record<string, string>, body });
    if (answer.status === 0) return;
    response
      .writeHead(answer.status, answer.location ? { location: answer.location } : {})
      .end(`said ${answer.status}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { hits, answer, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const make = async (url: string, more: object = {}) => {
  const made = await ask('POST', `${lab}/webhooks`, { url, events: ['incident.opened'], ...more });
  if (made.status !== 201) throw new Error(made.text);
  return { ...made.data, path: `${lab}/webhooks/${made.data.id}` } as { id: string; secret: string; path: string };
};

const tell = (kind: 'incident.opened' | 'incident.resolved' = 'incident.opened') =>
  database.transaction((tx) => {
    const at = ports.now();
    const incident = {
      probeId: 'p',
      probeName: 'Front door (berlin)',
      region: 'berlin',
      incidentId: 'i',
      reason: 'No audio came.',
      severity: 'DOWN' as const,
      startedAt: at.toISOString(),
      firstFailedAt: at.toISOString(),
    };
    const about = { organizationId, projectId, at };
    return kind === 'incident.opened'
      ? announce(ports, tx, { kind, ...about, data: { ...incident, testRunId: 'r' } })
      : announce(ports, tx, { kind, ...about, data: { ...incident, endedAt: at.toISOString(), durationMs: 0 } });
  });

const lastOf = async (path: string) => (await ask('GET', `${path}/deliveries`)).data[0];
const detailOf = async (path: string) =>
  (await ask('GET', `${path}/deliveries/${(await lastOf(path)).id}`)).data as {
    id: string;
    status: string;
    tries: { number: number; status: number | null; error: string | null; answer: string | null }[];
  };

/** Advances time until no more attempts are made; how many seconds that took. */
async function untilItEnds(path: string): Promise<void> {
  for (let i = 0; i < 30 && (await lastOf(path)).status === 'PENDING'; i++) {
    const { nextAttemptAt } = await lastOf(path);
    world.pass(Math.max(1, (Date.parse(nextAttemptAt) - ports.now().getTime()) / 1000 + 1));
    await world.work();
  }
}

// In sequence: they share the time and the queue.
t.jobs = 1;

t.test('what happened arrives, signed, and is in the log', async (t) => {
  const good = await receiver({ status: 200 });
  const other = await receiver({ status: 200 });
  const webhook = await make(good.url);
  const silent = await make(other.url, { events: ['worker.status_changed'] });
  await tell();
  await world.work();
  t.equal(good.hits.length, 1);
  t.equal(other.hits.length, 0, 'a webhook without the event gets no delivery');
  const [{ headers, body }] = good.hits as [Hit];
  const told = new Webhook(webhook.secret).verify(body, headers);
  t.match(told, {
    type: 'incident.opened',
    data: { projectId, projectName: 'Lab', incidentId: 'i', severity: 'DOWN' },
  });
  const delivery = await detailOf(webhook.path);
  t.equal(headers['webhook-id'], delivery.id);
  t.match(delivery, {
    event: 'incident.opened',
    status: 'DELIVERED',
    attempts: 1,
    error: null,
    data: { incidentId: 'i' },
    tries: [{ number: 1, status: 200, error: null, answer: 'said 200' }],
  });
  t.match(await ask('GET', `${webhook.path}/deliveries?status=FAILED`), { total: 0 });
  t.match(await ask('GET', `${webhook.path}/deliveries?status=DELIVERED`), { total: 1 });
  t.match(await ask('GET', `${silent.path}/deliveries/${delivery.id}`), { status: 404 }, 'not under another webhook');
  await ask('DELETE', silent.path);
  await ask('DELETE', webhook.path);
});

t.test('a worker that comes and goes, and the steps of a run, are told of', async (t) => {
  const good = await receiver({ status: 204 });
  const webhook = await make(good.url, { events: ['worker.status_changed', 'test_run.status_changed'] });
  const agent = new FakeAgent(world);
  await agent.greet(TOKENS[0]);
  await world.work();
  const test = (
    await ask('POST', `${lab}/tests`, {
      name: 'One call',
      durationSeconds: 5,
      groups: [
        {
          name: 'callers',
          registrarId: api.cloudId,
          callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@127.0.0.1:5070' },
          placement: { mode: 'REGION', region: 'nowhere' },
          subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
        },
      ],
    })
  ).data;
  await ask('POST', `${lab}/tests/${test.id}/run`);
  await world.work();
  const told = good.hits.map(({ body }) => JSON.parse(body));
  t.match(told[0], { type: 'worker.status_changed', data: { workerName: 'edge-1', from: 'OFFLINE', to: 'ONLINE' } });
  t.match(told.at(-1), {
    type: 'test_run.status_changed',
    data: {
      testName: 'One call',
      isProbeRun: false,
      from: 'PENDING',
      to: 'CANNOT_RUN_FOR_NOW',
      errorCode: 'NO_ONLINE_WORKER',
      reason: /nowhere/,
      result: null,
    },
  });
  await ask('DELETE', webhook.path);
  const before = (await database.db.selectFrom('announcements').select('id').execute()).length;
  await ask('POST', `${lab}/tests/${test.id}/run`);
  await world.work();
  const after = (await database.db.selectFrom('announcements').select('id').execute()).length;
  t.equal(after, before, 'steps of runs that nobody wishes to hear of are not kept twice');
});

t.test('a receiver that fails is tried for a day, then given up, and after three days disabled', async (t) => {
  const bad = await receiver({ status: 500 });
  const webhook = await make(bad.url);
  await tell();
  await world.work();
  t.match(await lastOf(webhook.path), { status: 'PENDING', attempts: 1, error: /answered 500/ });
  await untilItEnds(webhook.path);
  const delivery = await detailOf(webhook.path);
  t.match(delivery, { status: 'FAILED', attempts: 12, nextAttemptAt: null });
  t.equal(new Set(bad.hits.map(({ headers }) => headers['webhook-id'])).size, 1, 'always the same webhook-id');
  t.equal(new Set(bad.hits.map(({ body }) => body)).size, 1, 'always the same body');
  t.equal(new Set(bad.hits.map(({ headers }) => headers['webhook-timestamp'])).size > 1, true, 'signed again');
  t.match((await ask('GET', webhook.path)).data, { enabled: true, failingSince: /./ });
  world.pass(2 * 86_400);
  await tell();
  await world.work();
  const { data } = await ask('GET', webhook.path);
  t.match(data, { enabled: false, disabledAt: /./, disabledReason: /Nothing has arrived since .* answered 500/ });
  const tries = bad.hits.length;
  await tell();
  await untilItEnds(webhook.path);
  t.equal(bad.hits.length, tries, 'no further attempts');
  bad.answer.status = 200;
  const again = await ask('PATCH', webhook.path, { enabled: true });
  t.match(again.data, { enabled: true, disabledAt: null, disabledReason: null, failingSince: null });
  const resent = await ask('POST', `${webhook.path}/deliveries/${delivery.id}/resend`);
  t.match(resent, { status: 201, data: { id: delivery.id, status: 'PENDING' } });
  t.match(await ask('POST', `${webhook.path}/deliveries/${delivery.id}/resend`), { status: 409 }, 'not twice at once');
  await world.work();
  t.match(await ask('GET', `${webhook.path}/deliveries/${delivery.id}`), {
    data: { status: 'DELIVERED', attempts: 13 },
  });
  await ask('DELETE', webhook.path);
});

t.test('one success ends a failure', async (t) => {
  const moody = await receiver({ status: 503 });
  const webhook = await make(moody.url);
  await tell();
  await world.work();
  t.match((await ask('GET', webhook.path)).data, { failingSince: /./ });
  moody.answer.status = 200;
  await untilItEnds(webhook.path);
  t.match((await ask('GET', webhook.path)).data, { enabled: true, failingSince: null });
  t.match(await detailOf(webhook.path), { status: 'DELIVERED', tries: [{ status: 503 }, { status: 200 }] });
  await ask('DELETE', webhook.path);
});

t.test('410 disables at once', async (t) => {
  const gone = await receiver({ status: 410 });
  const webhook = await make(gone.url);
  await tell();
  await world.work();
  t.match(await detailOf(webhook.path), { status: 'FAILED', attempts: 1 });
  t.match((await ask('GET', webhook.path)).data, {
    enabled: false,
    disabledReason: /410: it accepts no more deliveries/,
  });
  await tell();
  await world.work();
  t.equal(gone.hits.length, 1);
  await ask('DELETE', webhook.path);
});

t.test('a receiver that hangs, and one that sends us elsewhere', async (t) => {
  const inside = await receiver({ status: 200 });
  const hanging = await receiver({ status: 0 });
  const leading = await receiver({ status: 302, location: inside.url });
  const hasty = openCourier({ ...options, timeoutMs: 300 });
  const post: typeof courier.post = (request) => (request.url === hanging.url ? hasty : courier).post(request);
  Object.assign(ports, { courier: { ...courier, post } });
  const hooks = [await make(hanging.url), await make(leading.url)] as const;
  await tell();
  await world.work();
  t.match(await detailOf(hooks[0].path), {
    status: 'PENDING',
    tries: [{ status: null, answer: null, error: /No answer within/ }],
  });
  t.match(await detailOf(hooks[1].path), {
    status: 'PENDING',
    error: /redirects are not followed/,
    tries: [{ status: 302 }],
  });
  t.equal(inside.hits.length, 0);
  for (const { path } of hooks) await ask('DELETE', path);
  t.same(await world.work(), [], 'what is deleted is not tried again');
  world.pass(3600);
  await world.work();
  t.equal(leading.hits.length, 1);
  // None if the machine stalled until the time was over.
  t.ok(hanging.hits.length <= 1);
  Object.assign(ports, { courier });
});

t.test('a secret is replaced, and the one before signs for a day', async (t) => {
  const good = await receiver({ status: 200 });
  const webhook = await make(good.url);
  const rotated = await ask('POST', `${webhook.path}/rotate-secret`, {});
  t.match(rotated, { status: 201, data: { secret: /^whsec_/, previousSecretUntil: /./ } });
  const last = () => good.hits.at(-1) as Hit;
  const tellAgain = async () => {
    await tell();
    await world.work();
  };
  /** Which of these signed the last delivery, with the package's own computation: its verify() requires the present time. */
  const signing = (...secrets: Webhook[]) => {
    const { headers, body } = last();
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    return secrets.map((secret) => secret.sign(headers['webhook-id'] as string, at, body));
  };
  const signatures = () => last().headers['webhook-signature']?.split(' ');
  const [first, second] = [new Webhook(webhook.secret), new Webhook(rotated.data.secret)];
  const third = new Webhook('a secret of twenty-four letters', { format: 'raw' });
  await tellAgain();
  t.same(signatures(), signing(second, first));
  await ask('PATCH', webhook.path, { secret: 'a secret of twenty-four letters' });
  world.pass(86_400 - 60);
  await tellAgain();
  t.same(signatures(), signing(third, second));
  world.pass(120);
  await tellAgain();
  t.same(signatures(), signing(third), 'a day later only the new one');
  const pasted = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const quoted = [
    `"${pasted}"`,
    `'${pasted}'`,
    `“${pasted}”`,
    pasted.replace('whsec', 'WHSEC'),
    `"Whsec_${'x'.repeat(30)}`,
    `Bearer ${pasted}`,
    `secret=${pasted}`,
    pasted.replace('_', '-'),
    `"${'x'.repeat(30)}"`,
    `‘${'x'.repeat(30)}’`,
    `${'x'.repeat(30)}\u200b`,
    `${'x'.repeat(15)}\n${'x'.repeat(15)}`,
  ];
  for (const secret of [
    ...quoted,
    'whsec_tooshort and no base64',
    `${pasted}\n`,
    ` ${pasted}`,
    `\t${'x'.repeat(30)}\r\n`,
  ])
    t.equal((await ask('PATCH', webhook.path, { secret })).status, 422, JSON.stringify(secret));
  await ask('DELETE', webhook.path);
});

t.test('a test is sent at once, once, and harms nobody', async (t) => {
  const bad = await receiver({ status: 410 });
  const webhook = await make(bad.url);
  t.match(await ask('POST', `${webhook.path}/test`), {
    status: 201,
    data: { event: 'webhook.test', status: 'PENDING' },
  });
  t.match(await ask('POST', `${webhook.path}/test`), { status: 409 }, 'one at a time');
  await world.work();
  t.match(await detailOf(webhook.path), { status: 'FAILED', attempts: 1 });
  t.match((await ask('GET', webhook.path)).data, { enabled: true, failingSince: null });
  await ask('PATCH', webhook.path, { enabled: false });
  bad.answer.status = 200;
  await ask('POST', `${webhook.path}/test`);
  await world.work();
  t.match(await lastOf(webhook.path), { status: 'DELIVERED' }, 'a disabled one is tested before it is enabled');
  t.match(JSON.parse(bad.hits.at(-1)?.body ?? ''), {
    type: 'webhook.test',
    data: { webhookId: webhook.id, url: null, message: /CARILLON_PUBLIC_URL/ },
  });
  const other = (await ask('GET', '/projects', undefined, FOREIGN)).data[0].id;
  for (const path of ['test', 'rotate-secret', 'deliveries/x/resend']) {
    t.equal((await ask('POST', `${webhook.path}/${path}`, {}, FOREIGN)).status, 404, path);
    const theirs = webhook.path.replace(projectId, other);
    t.equal((await ask('POST', `${theirs}/${path}`, {}, FOREIGN)).status, 404, path);
    t.equal((await ask('POST', `${webhook.path}/${path}`, {}, EDITOR)).status, 403, path);
  }
  await ask('DELETE', webhook.path);
});

t.test('a project has so many webhooks', async (t) => {
  const url = (n: number) => `https://hooks.example/${n}`;
  const made: { id: string }[] = (await ask('GET', `${lab}/webhooks?per_page=100`)).data;
  for (let n = made.length; n < 100; n++) await make(url(n));
  const one = { url: url(100), events: ['incident.opened'] };
  t.match(await ask('POST', `${lab}/webhooks`, one), { status: 422, message: /100 webhooks, which is the most/ });
  const named = { ...one, url: 'https://user:password@hooks.example/' };
  t.match(await ask('POST', `${lab}/webhooks`, named), { status: 422, paths: ['url'] });
  for (const { id } of (await ask('GET', `${lab}/webhooks?per_page=100`)).data)
    await ask('DELETE', `${lab}/webhooks/${id}`);
  const { status, data } = await ask('POST', `${lab}/webhooks`, one);
  t.equal(status, 201);
  await ask('DELETE', `${lab}/webhooks/${data.id}`);
});

t.test('what was lost on its way is not waited for', async (t) => {
  await tell();
  await world.work();
  const webhook = await make('https://hooks.example/lost');
  const { id } = await database.db
    .selectFrom('announcements')
    .select('id')
    .orderBy('at', 'desc')
    .executeTakeFirstOrThrow();
  const lost = { id: randomUUID(), webhook_id: webhook.id, announcement_id: id, created_at: ports.now() };
  const retry_until = new Date(ports.now().getTime() + 86_400_000);
  await database.db
    .insertInto('webhook_deliveries')
    .values({ ...lost, retry_until })
    .execute();
  world.pass(86_400);
  await retain(ports);
  t.match(await lastOf(webhook.path), { status: 'PENDING' });
  world.pass(3601);
  await retain(ports);
  t.match(await lastOf(webhook.path), { status: 'FAILED', error: /its last try is not known/ });
  await ask('DELETE', webhook.path);
});

t.test('after two weeks the log goes', async (t) => {
  const good = await receiver({ status: 200 });
  const webhook = await make(good.url);
  await tell();
  await world.work();
  world.pass(13 * 86_400);
  await retain(ports);
  t.equal((await ask('GET', `${webhook.path}/deliveries`)).total, 1);
  world.pass(2 * 86_400);
  await retain(ports);
  t.equal((await ask('GET', `${webhook.path}/deliveries`)).total, 0);
  await ask('DELETE', webhook.path);
});

t.test('an installation that sends only to public addresses says so at once', async (t) => {
  const strict = openCourier({ allowPrivate: false, allowHttp: false });
  const present = ports.courier;
  Object.assign(ports, { courier: strict });
  t.teardown(() => Object.assign(ports, { courier: present }));
  for (const url of [
    'http://hooks.example/',
    'https://127.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/',
  ]) {
    t.match(
      await ask('POST', `${lab}/webhooks`, { url, events: ['incident.opened'] }),
      { status: 422, paths: ['url'] },
      url,
    );
  }
});
