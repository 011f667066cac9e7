/** Webhooks with the formats of chats: what they send, and where their secrets go. */
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { announce } from '../../../operations/notify/announce.ts';
import type { PostRequest } from '../../../ports.ts';
import { openApi } from '../../../testing/api.ts';
import { TELLINGS } from '../../../testing/tellings.ts';

const KEY = 'R0123456789abcdef0123456789abcde';
const ANOTHER = 'another of twenty-four letters';
const PAGER = 'https://pager.example/enqueue';

const { world, ask, projectId, heard } = await openApi(t);
const { ports, database } = world;
const lab = `/projects/${projectId}`;
const posts: PostRequest[] = [];
const { post } = ports.courier;
Object.assign(ports.courier, {
  post: (request: PostRequest) => {
    posts.push(request);
    return post(request);
  },
});
const { organizationId } = await database.db
  .selectFrom('projects')
  .where('id', '=', projectId)
  .select('organization_id as organizationId')
  .executeTakeFirstOrThrow();

async function tell(kind: 'incident.opened' | 'incident.resolved' = 'incident.opened'): Promise<void> {
  const about = { ...TELLINGS[kind], organizationId, projectId, at: ports.now() };
  await database.transaction((tx) => announce(ports, tx, about));
  await world.work();
}
const make = (more: object) => ask('POST', `${lab}/webhooks`, { url: PAGER, events: ['incident.opened'], ...more });

t.jobs = 1;

t.test('each sends the messages of its receiver', async (t) => {
  const slack = await make({ url: 'https://slack.example/T000/very-secret', format: 'SLACK' });
  t.equal((await ask('GET', `${lab}/webhooks/${slack.data.id}`)).data.url, 'https://slack.example/…');
  const pager = await make({ format: 'PAGERDUTY', secret: KEY, events: ['incident.opened', 'incident.resolved'] });
  await tell();
  await tell('incident.resolved');
  const bodiesFor = (host: string) =>
    posts.filter(({ url }) => url.startsWith(`https://${host}/`)).map(({ body }) => JSON.parse(body));
  t.match(bodiesFor('slack.example'), [{ text: / is down$/, blocks: [{}, {}, {}] }]);
  t.match(bodiesFor('pager.example'), [
    { routing_key: KEY, event_action: 'trigger', dedup_key: 'i' },
    { routing_key: KEY, event_action: 'resolve', dedup_key: 'i' },
  ]);
  const { rows } = await sql<{ text: string }>`select w::text as text from webhooks w`.execute(database.db);
  t.notMatch(rows.map(({ text }) => text).join(), /very-secret|R0123456789abc/, 'neither stored as it is');
  const told = heard.filter((line) => /very-secret|R0123456789abc/.test(line) && !line.includes('"secret":"R0123'));
  t.same(told, [], 'nor logged, nor answered');
  for (const { data } of [slack, pager]) await ask('DELETE', `${lab}/webhooks/${data.id}`);
});

t.test('a key is needed, and goes nowhere else', async (t) => {
  const wrong = [
    [{ format: 'PAGERDUTY' }, 'secret'],
    [{ format: 'PAGERDUTY', secret: KEY, events: ['worker.status_changed'] }, 'events'],
  ] as const;
  for (const [body, path] of wrong) t.match(await make(body), { status: 422, paths: [path] });
  const made = await make({});
  const webhook = `${lab}/webhooks/${made.data.id}`;
  const change = (body: object) => ask('PATCH', webhook, body);
  t.match(await change({ format: 'PAGERDUTY' }), { status: 422, paths: ['secret'] });
  t.match(await change({ format: 'PAGERDUTY', secret: KEY }), { status: 200, data: { previousSecretUntil: null } });
  t.match(await ask('POST', `${webhook}/rotate-secret`, {}), { status: 422, paths: ['secret'] });
  await tell();
  t.equal(JSON.parse(posts.at(-1)?.body ?? '').routing_key, KEY);
  const elsewhere = 'https://elsewhere.example/';
  for (const body of [{ url: elsewhere }, { format: 'STANDARD' }, { url: elsewhere, format: 'SLACK' }])
    t.match(await change(body), { status: 422, paths: ['secret'] }, JSON.stringify(body));
  t.equal((await change({ enabled: true })).status, 200, 'anything else needs none');
  await change({ format: 'STANDARD', secret: ANOTHER });
  await tell();
  const { headers, body } = posts.at(-1) as PostRequest;
  const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signature = new Webhook(ANOTHER, { format: 'raw' }).sign(headers['webhook-id'] ?? '', signedAt, body);
  t.equal(headers['webhook-signature'], signature, 'the key signs nothing');
  await ask('DELETE', webhook);
});

t.test('without the feature, a webhook that it made says why nothing arrives', async (t) => {
  const { data } = await make({ format: 'TEAMS' });
  const { hooks } = ports;
  Object.assign(ports, { hooks: [] });
  t.teardown(() => Object.assign(ports, { hooks }));
  await tell();
  t.match((await ask('GET', `${lab}/webhooks/${data.id}/deliveries`)).data, [
    { status: 'PENDING', error: 'This installation has no messages in the format TEAMS.' },
  ]);
});
