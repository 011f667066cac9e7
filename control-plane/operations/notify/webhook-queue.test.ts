/** Webhooks on the real queue: hanging receivers delay only their own organization's deliveries; retries run by pg-boss's clock. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { holds } from '../../../scripts/peers/process.ts';
import { openCourier } from '../../courier/courier.ts';
import { JOB_HANDLERS } from '../../handlers.ts';
import { JOB_CATALOGUE } from '../../job-catalogue.ts';
import type { JobName, Jobs, Ports } from '../../ports.ts';
import { startQueue } from '../../queue/boss.ts';
import { FOREIGN, openApi } from '../../testing/api.ts';
import { announce } from './announce.ts';

/** More than the concurrent deliveries of two replicas if each webhook had two. */
const HANGING = 13;
/** Concurrent deliveries of an organization whose receivers have not failed yet. */
const PLACES = JOB_CATALOGUE['webhook.deliver'].atOnceInGroup ?? Number.NaN;

const { world, ask, projectId } = await openApi(t);
const { database } = world;
const queues = [await startQueue(database.config, world.ports.log), await startQueue(database.config, world.ports.log)];
t.teardown(() => Promise.all(queues.map((queue) => queue.stop())));
/** Requests to the hanging receivers. */
let posted = 0;
const inner = openCourier({ allowPrivate: true, allowHttp: true, timeoutMs: 25_000 });
const courier: Ports['courier'] = {
  ...inner,
  async post(request) {
    if (request.url.startsWith(hangingUrl)) posted += 1;
    return inner.post(request);
  },
};
const ports: Ports = { ...world.ports, courier, jobs: queues[0] as Ports['jobs'] };
for (const queue of queues) {
  await queue.work(<N extends JobName>(name: N, data: Jobs[N], attempt: number) =>
    JOB_HANDLERS[name](ports, data, attempt),
  );
}

/** It accepts connections and does not answer. */
const hanging = createServer(() => undefined);
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
const hook = (project: string, url: string, options = {}) =>
  ask('POST', `/projects/${project}/webhooks`, { url, events: ['incident.opened'] }, options);
const hangingUrl = await urlOf(hanging);
for (let i = 0; i < HANGING; i++) await hook(projectId, `${hangingUrl}${i}`);
const theirs: string = (await ask('GET', '/projects', undefined, FOREIGN)).data[0].id;
await hook(theirs, await urlOf(moody), FOREIGN);

const tell = async (project: string) => {
  const { organizationId } = await database.db
    .selectFrom('projects')
    .where('id', '=', project)
    .select('organization_id as organizationId')
    .executeTakeFirstOrThrow();
  await database.transaction((tx) =>
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
        reason: null,
        severity: 'DOWN',
        startedAt: new Date().toISOString(),
        firstFailedAt: null,
        testRunId: 'r',
      },
    }),
  );
};

t.test('those that hang hold up nobody else', async (t) => {
  await tell(projectId);
  t.ok(await holds(() => posted >= PLACES), 'all places of their organization are taken');
  await tell(projectId);
  await tell(theirs);
  t.ok(await holds(() => arrived.length > 0));
  // Workers that check at the same moment may each take the last place; later ones see that none is left.
  t.ok(posted <= HANGING, `${posted} of ${2 * HANGING} deliveries to those that hang were begun, over two replicas`);
  t.ok(await holds(() => arrived.length > 1), 'the second try comes');
  const [first, second] = arrived as [(typeof arrived)[0], (typeof arrived)[0]];
  t.equal(second.id, first.id, 'with the same webhook-id');
  t.ok(second.atMs - first.atMs >= 4900, `after ${second.atMs - first.atMs} ms, not before its 5 s`);
  hanging.closeAllConnections();
});
