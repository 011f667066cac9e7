/** Wrong requests get the answer that docs/contract.md names (Errors), in its envelope; errors in a file are reported by path and line. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createClient } from '../../../control-plane/client.ts';
import { newApiKey } from '../../peers/lab/carillon.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { mainOf } from '../../peers/lab/programs.ts';
import { callsAmongAgents, type OrganizationInput, PROJECT } from '../../peers/lab/provision.ts';
import { startPeer } from '../../peers/process.ts';

const keys = { owner: newApiKey(), viewer: newApiKey(), expired: newApiKey(), revoked: newApiKey() };
const other: OrganizationInput = {
  slug: 'other',
  name: 'Other',
  users: [
    { email: 'owner@other.example', name: 'Owner', role: 'OWNER' },
    { email: 'viewer@other.example', name: 'Viewer', role: 'VIEWER' },
  ],
  apiKeys: [
    { name: 'owner', user: 'owner@other.example', key: keys.owner },
    { name: 'viewer', user: 'viewer@other.example', key: keys.viewer },
    { name: 'expired', user: 'owner@other.example', key: keys.expired, expiresAt: '2020-01-01T00:00:00Z' },
    { name: 'revoked', user: 'owner@other.example', key: keys.revoked },
  ],
  projects: [
    { slug: PROJECT, name: PROJECT, tests: [callsAmongAgents('theirs', { endpoints: 1, durationSeconds: 1 })] },
  ],
};

const lab = await openLab(t, {
  organizations: [other],
  provision: () => ({ tests: [callsAmongAgents('ours', { endpoints: 1, durationSeconds: 1 })] }),
});
const { projectId } = lab;
const testId = lab.testId('ours');
const base = `${lab.controlPlane.url}/api/v1`;
const run = await lab.runToEnd('ours');
const theirs = (await createClient(base, keys.owner)('listProjects', {})).rows[0]?.id ?? '';
await lab.query(`update api_keys set revoked_at = now() where name = 'revoked'`);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NOBODY = '01900000-0000-7000-8000-000000000000';

type Answer = { status: number; code: string | undefined; headers: Headers; details: { path: string }[] | undefined };

/** Sends a request, and checks that an error comes in its envelope. */
async function ask(
  t: Test,
  method: string,
  where: string,
  {
    key = lab.apiKey as string | null,
    headers = {},
    body,
  }: { key?: string | null; headers?: object; body?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${base}${where}`, {
    method,
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers },
    ...(body !== undefined && { body }),
  });
  const envelope = (await response.json()) as {
    error?: { code: string; message: string; details?: { path: string }[] };
    meta?: { requestId: string };
  };
  const { error, meta } = envelope;
  t.match(meta?.requestId, UUID, `${method} ${where}: a request id`);
  t.equal(response.headers.get('x-request-id'), meta?.requestId);
  t.ok((error?.message.length ?? 0) > 10 && !error?.message.includes('    at '), error?.message ?? 'no message');
  return { status: response.status, code: error?.code, headers: response.headers, details: error?.details };
}

const start = `/projects/${projectId}/tests/${testId}/run`;

t.test('what cannot be parsed is 400', async (t) => {
  const json = { 'content-type': 'application/json' };
  const refused = { status: 400, code: 'BAD_REQUEST' };
  t.match(await ask(t, 'POST', start, { headers: json, body: '{"a":' }), refused, 'broken JSON');
  t.match(
    await ask(t, 'POST', start, { headers: { 'content-type': 'text/xml' }, body: '<a/>' }),
    refused,
    'another type',
  );
  t.match(await ask(t, 'POST', start, { headers: json, body: `"${'x'.repeat(2 ** 21)}"` }), refused, 'too much');
});

t.test('what breaks a rule is 422 and names it', async (t) => {
  const refused = { status: 422, code: 'VALIDATION_ERROR' };
  for (const query of ['page=0', 'page=-1', 'page=two', 'page=1.5', 'per_page=0', 'per_page=101', 'per_page=']) {
    const answer = await ask(t, 'GET', `/projects?${query}`);
    t.match(answer, { ...refused, details: [{ path: query.split('=')[0] }] }, query);
  }
  t.match(await ask(t, 'GET', `/projects/${projectId}/test-runs/${run.id}/metrics?resolution=7s`), refused);
  t.match(await ask(t, 'POST', start, { headers: { 'idempotency-key': 'x'.repeat(201) } }), refused);
});

t.test('what is not there, or not theirs, is 404', async (t) => {
  const missing = { status: 404, code: 'NOT_FOUND' };
  const ids = [NOBODY, 'no-id', '%00', encodeURIComponent("' or 1=1 --"), 'x'.repeat(190)];
  for (const id of ids) {
    t.match(await ask(t, 'GET', `/projects/${id}`), missing, `project ${id.slice(0, 40)}`);
    t.match(await ask(t, 'GET', `/projects/${projectId}/tests/${id}`), missing, 'test');
    t.match(await ask(t, 'POST', `/projects/${projectId}/tests/${id}/run`), missing, 'start');
    t.match(await ask(t, 'GET', `/projects/${projectId}/test-runs/${id}/endpoints`), missing, 'endpoints');
    t.match(await ask(t, 'POST', `/projects/${projectId}/test-runs/${id}/cancel`), missing, 'cancel');
  }
  t.match(await ask(t, 'GET', `/projects/${theirs}`), missing, 'a project of another organization');
  t.match(await ask(t, 'GET', `/projects/${projectId}/tests`, { key: keys.owner }), missing, 'ours, asked by them');
  t.match(
    await ask(t, 'GET', `/projects/${theirs}/test-runs/${run.id}`, { key: keys.owner }),
    missing,
    'ours in theirs',
  );
  t.match(await ask(t, 'POST', `/projects/${theirs}/tests/${testId}/run`, { key: keys.owner }), missing, 'our test');
  t.match(await ask(t, 'GET', `/projects/${projectId}/test-runs/${run.id}/metrics?endpoint_id=${NOBODY}`), missing);
  t.match(await ask(t, 'GET', '/no-such-thing'), missing);
});

t.test('requests without permission', async (t) => {
  const unknown = { status: 401, code: 'UNAUTHORIZED' };
  t.match(await ask(t, 'GET', '/projects', { key: null }), unknown, 'no key');
  for (const key of [
    '',
    'crl_',
    'x',
    `crl_${'0'.repeat(31)}`,
    newApiKey(),
    newApiKey().toUpperCase(),
    keys.expired,
    keys.revoked,
  ]) {
    t.match(await ask(t, 'GET', '/projects', { key }), unknown, `key ${key.slice(0, 8)}`);
  }
  const basic = { authorization: `Basic ${Buffer.from(`a:${lab.apiKey}`).toString('base64')}` };
  t.match(await ask(t, 'GET', '/projects', { key: null, headers: basic }), unknown, 'another scheme');
  t.match(await ask(t, 'GET', `/projects/${projectId}`, { key: null }), unknown, 'before anything is told');
  const test = (await createClient(base, keys.viewer)('listTests', { projectId: theirs })).rows[0]?.id;
  const forbidden = { status: 403, code: 'FORBIDDEN' };
  t.match(await ask(t, 'POST', `/projects/${theirs}/tests/${test}/run`, { key: keys.viewer }), forbidden, 'a viewer');
});

t.test('what is not possible there is 405', async (t) => {
  for (const method of ['DELETE', 'PUT', 'PATCH', 'POST']) {
    const answer = await ask(t, method, `/projects/${projectId}/test-runs`);
    t.match(answer, { status: 405, code: 'METHOD_NOT_ALLOWED' });
    t.equal(answer.headers.get('allow'), 'GET');
  }
});

t.test('what is no HTTP', async (t) => {
  for (const bytes of [
    'GARBAGE\r\n\r\n',
    '\0\xff'.repeat(500),
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  ]) {
    const socket = connect(lab.port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write(Buffer.from(bytes, 'latin1'));
    await ended;
  }
  t.equal((await fetch(`${lab.controlPlane.url}/healthz`)).status, 200, 'and the process lives');
});

t.test('a provisioning file with errors', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-provision-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const refused = async (text: string, expected: readonly RegExp[]) => {
    const file = path.join(dir, 'provision.yaml');
    await writeFile(file, text);
    const peer = startPeer(process.execPath, [mainOf('control-plane')], {
      env: { CARILLON_PROVISION: file, CARILLON_DATA_DIR: path.join(dir, 'data'), PORT: '0', DATABASE_URL: '' },
    });
    t.equal(await peer.exited, 1);
    for (const line of expected) t.match(peer.output(), line);
    t.notMatch(peer.output(), /\n {4}at /, 'no stack trace');
  };
  await refused(
    [
      'organizations:',
      '  - slug: Acme',
      '    name: Acme',
      '    plan: GOLD',
      '    apiKeys:',
      '      - { name: k, user: nobody@acme.example, key: env:CARILLON_NO_SUCH_VARIABLE }',
      '    projects:',
      '      - slug: lab',
      '        colour: green',
      '        tests: []',
    ].join('\n'),
    [
      /provision\.yaml:2 organizations\[0\]\.slug: /,
      /provision\.yaml:4 organizations\[0\]\.plan: /,
      /provision\.yaml:6 organizations\[0\]\.apiKeys\[0\]\.key: the environment variable CARILLON_NO_SUCH_VARIABLE/,
      /provision\.yaml:8 organizations\[0\]\.projects\[0\]\.name: /,
      /provision\.yaml:8 organizations\[0\]\.projects\[0\]: unknown key colour/,
    ],
  );
  await refused('organizations:\n  - slug: a\n   name: b\n', [/provision\.yaml:[23] \(file\): /]);
  await refused(
    'organizations:\n  - { slug: a, name: A, apiKeys: [{ name: k, user: x@y.example, key: crl_00000000000000000000000000000000 }] }\n',
    [/provision\.yaml:2 organizations\[0\]\.apiKeys\[0\]\.user: no user has the e-mail address x@y\.example/],
  );
});
