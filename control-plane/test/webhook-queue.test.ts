/** Webhooks on the real queue: a receiver that hangs holds up its own deliveries alone; a later try comes by pg-boss's own clock. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { openCourier } from '../courier/courier.ts';
import { announce } from '../operations/announce.ts';
import { JOB_HANDLERS } from '../operations/jobs.ts';
import type { JobName, Jobs, Ports } from '../ports.ts';
import { startQueue } from '../queue/boss.ts';
import { ELSEWHERE, openApi } from './api.ts';

const HANGING = 12;

const { world, ask, projectId, hiddenId } = await openApi(t);
const { database } = world;
const queues = [await startQueue(database.config, world.ports.log), await startQueue(database.config, world.ports.log)];
t.teardown(() => Promise.all(queues.map((queue) => queue.stop())));
const courier = openCourier({ webhooks: { allowPrivate: true, allowHttp: true, timeoutMs: 4000 }, mail: null });
const ports: Ports = { ...world.ports, courier, jobs: queues[0] as Ports['jobs'] };
for (const queue of queues) {
  await queue.work(<N extends JobName>(name: N, data: Jobs[N], attempt: number) =>
    JOB_HANDLERS[name](ports, data, attempt),
  );
}

let open = 0;
let most = 0;
const hanging = createServer((incoming) => {
  most = Math.max(most, ++open);
  incoming.socket.once('close', () => open--);
});
const arrived: { id: string; atMs: number }[] = [];
let failures = 1;
const moody = createServer((incoming, response) => {
  arrived.push({ id: String(incoming.headers['webhook-id']), atMs: Date.now() });
  incoming.resume();
  response.writeHead(failures-- > 0 ? 503 : 200).end();
});
const urlOf = async (server: ReturnType<typeof createServer>): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};
const hook = async (project: string, server: ReturnType<typeof createServer>, options = {}) =>
  ask('POST', `/projects/${project}/webhooks`, { url: await urlOf(server), events: ['incident.opened'] }, options);
await hook(projectId, hanging);
await hook(hiddenId, moody, ELSEWHERE);
const { organizationId } = await database.db
  .selectFrom('projects')
  .where('id', '=', projectId)
  .select('organization_id as organizationId')
  .executeTakeFirstOrThrow();

const tell = (project: string) =>
  database.transaction((tx) =>
    announce(ports, tx, {
      kind: 'incident.opened',
      organizationId,
      projectId: project,
      at: new Date(),
      data: {
        probeId: 'p',
        probeName: 'Door',
        region: null,
        incidentId: 'i',
        severity: 'DOWN',
        startedAt: new Date().toISOString(),
        testRunId: 'r',
      },
    }),
  );

async function until(condition: () => boolean): Promise<boolean> {
  const deadline = Date.now() + 60_000;
  while (!condition() && Date.now() < deadline) await sleep(20);
  return condition();
}

t.test('one that hangs holds up nobody else', async (t) => {
  for (let i = 0; i < HANGING; i++) await tell(projectId);
  t.ok(await until(() => open > 0));
  await tell(hiddenId);
  t.ok(await until(() => arrived.length > 0));
  const { n } = await database.db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .where('w.project_id', '=', projectId)
    .where('d.attempts', '=', 0)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  t.ok(n > 0, `${n} of ${HANGING} deliveries to the one that hangs still waited for their first try`);
  t.ok(await until(() => arrived.length > 1), 'the second try comes');
  const [first, second] = arrived as [(typeof arrived)[0], (typeof arrived)[0]];
  t.equal(second.id, first.id, 'with the same webhook-id');
  t.ok(second.atMs - first.atMs >= 4900, `after ${second.atMs - first.atMs} ms, not before its 5 s`);
  t.ok(most <= 2, `${most} requests at most were open at the one that hangs, over two replicas`);
});
