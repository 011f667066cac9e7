/** A failed start releases what it had taken: the folder, sockets, threads; a closed agent settles what it promised. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { ownLoopback } from '../../scripts/peers/network/loopback.ts';
import { until } from '../../scripts/peers/process.ts';
import { startAgent } from '../agent.ts';
import { readConfig } from '../config.ts';
import { NICE } from '../net/pacing.ts';

const net = ownLoopback();
const address = net.address(90);
const dir = await mkdtemp(path.join(tmpdir(), 'carillon-start-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const sip = createSocket('udp4');
sip.bind(0, address);
await once(sip, 'listening');
t.teardown(() => sip.close());
const http = createServer().listen(0, '127.0.0.1');
await once(http, 'listening');
t.teardown(() => http.close());

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  CARILLON_URL: 'ws://127.0.0.1:9/agent/v1',
  CARILLON_AGENT_DIR: path.join(dir, 'state'),
  CARILLON_SIP_ADDRESS: address,
  CARILLON_SIP_PORT: '0',
  CARILLON_METRICS_PORT: '0',
  CARILLON_LOG_LEVEL: 'silent',
  ...more,
});
const start = (more: Readonly<Record<string, string>> = {}) => startAgent(readConfig(environment(more), 1));
/** Threads of this process. */
const threads = async (): Promise<number> => (await readdir('/proc/self/task')).length;

/** The nice values of all of them (proc(5), /proc/pid/stat). */
const niceValues = async (): Promise<number[]> =>
  Promise.all(
    (await readdir('/proc/self/task')).map(async (id) => {
      const text = await readFile(`/proc/self/task/${id}/stat`, 'utf8').catch(() => '');
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
    }),
  );
/** The nice value that a thread gets when it requests this one. */
async function niceOf(asked: number): Promise<number> {
  const pacing = new URL('../net/pacing.ts', import.meta.url).href;
  const code = `import(${JSON.stringify(pacing)}).then((m) => require('node:worker_threads').parentPort.postMessage(m.preferThread(${asked})))`;
  const [nice] = await once(new Worker(code, { eval: true }), 'message');
  return nice;
}

t.test('signalling and media threads go before others, as far as the host permits it', async (t) => {
  const agent = await start();
  t.teardown(() => agent.close());
  const found = await niceValues();
  for (const asked of Object.values(NICE)) {
    const reached = await niceOf(asked);
    t.ok(found.includes(reached), `${asked} asked for, ${reached} reached: ${[...new Set(found)]}`);
    if (reached !== asked) t.comment(`this host does not permit nice ${asked}: ${getPriority()} as the process`);
  }
});

t.test('what comes first, and what comes last', async (t) => {
  const agent = await start();
  const stopping = { message: 'the agent is stopping' };
  const welcome = t.rejects(agent.welcomed, stopping, 'nobody waits for the welcome of an agent that was closed');
  const copied = t.rejects(agent.copied, stopping, 'nor for a copy of it');
  await agent.close();
  await Promise.all([welcome, copied]);
  t.match(await agent.broken, stopping, 'nor for its end');
  const before = await threads();
  const rows: [string, Readonly<Record<string, string>>][] = [
    ['the SIP port is taken', { CARILLON_SIP_PORT: String(sip.address().port) }],
    ['the port of metrics is taken', { CARILLON_METRICS_PORT: String((http.address() as AddressInfo).port) }],
  ];
  for (const [what, more] of rows) {
    await t.rejects(start(more), /EADDRINUSE|in use|cannot be (bound|opened)/, what);
    await until(`${what}: its threads have ended`, async () => (await threads()) <= before);
  }
  const next = await start();
  t.ok(next, 'the folder is free again');
  await next.close();
});
