/**
 * A project as a file: every kind of object created by `apply`, written by `import`, and found unchanged by `plan`; drift;
 * confirmation.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import type { Io } from '../../../control-plane/cli/io.ts';
import { readProjectFile } from '../../../control-plane/cli/project/file.ts';
import { compare, perform } from '../../../control-plane/cli/project/plan.ts';
import { Writer } from '../../../control-plane/cli/project/writes.ts';
import { openApi } from '../../../control-plane/cli/session/api.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { until } from '../../peers/process.ts';
import { type CommandResult, carillon } from './carillon.ts';

const lab = await openLab(t, {
  controlPlaneEnv: { CARILLON_WEBHOOKS_ALLOW_PRIVATE: 'true', CARILLON_WEBHOOKS_ALLOW_HTTP: 'true' },
  provision: () => ({ tests: [] }),
});
const folder = path.join(lab.dir, 'file');
await mkdir(path.join(folder, 'media'), { recursive: true });

/** 8 kHz, 16 bit, mono: half a second of noise. */
function recording(): Buffer {
  const samples = randomBytes(8000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0).toString();
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
await writeFile(path.join(folder, 'media', 'hello.wav'), recording());

const SECRETS = {
  P1: 'password-one',
  H2: '0123456789abcdef0123456789abcdef',
  HOOK: 'a-secret-of-a-webhook-0123',
  SLACK: 'https://hooks.slack.com/services/T0/B0/secretpath',
};
const FILE = `
slug: all-kinds
name: All kinds
description: "One of each: ü"
mediaFiles: [{ name: hello world, file: media/hello.wav }]
registrars:
  - slug: pbx
    name: PBX
    uri: "sip:127.0.0.1:5070"
    domain: example.com
    sourceAddress: 127.0.0.1
    gateways: ["127.0.0.2"]
    sipAccounts:
      - { username: "1001", password: "env:P1", displayName: One, number: "+491", values: { pin: "12" } }
      - { username: "1002", ha1: "env:H2", authName: two }
      - { username: "1003" }
  - { slug: secure, name: Secure, uri: "sip:127.0.0.1:5071", protocol: TLS, register: false, tls: { verify: SKIP } }
tests:
  - slug: between
    name: Between agents
    buildup: 3
    durationSeconds: 5
    groups:
      - name: callers
        registrar: cloud
        callee: { mode: GROUP, group: callees }
        placement: { mode: REGION, region: local }
        audioCodecs: [OPUS, PCMA]
        mediaTracks: [{ kind: AUDIO, source: FILE, mediaFile: hello world }, { kind: VIDEO, source: PATTERN }]
        videoCodecs: [VP8]
        headers: [{ name: X-Test, value: "1" }]
        actions: [{ trigger: { on: ANSWERED, afterSeconds: 1 }, action: { do: HOLD } }]
        subPopulations: [{ name: all, role: CALLER, endpoints: 2 }]
      - name: callees
        registrar: cloud
        callee: { mode: RECEIVE }
        placement: { mode: REGION, region: local }
        subPopulations: [{ name: all, role: CALLEE, endpoints: 2 }]
    thresholds: [{ metricKey: avgMos, greenValue: 4, orangeValue: 3.5 }]
  - slug: rate
    name: At a rate
    durationSeconds: 5
    load: { shape: RATE, callsPerSecond: 2, seconds: 10 }
    breaker: null
    maxExecutionSeconds: 200
    groups:
      - name: callers
        registrar: pbx
        callee: { mode: EXTERNAL_URI, uri: "sip:9@127.0.0.1:5070", uris: ["sip:8@127.0.0.1:5070"] }
        placement: { mode: WORKERS, workers: [agent-1] }
        signalling: { maxRedirects: 3, sessionTimer: { expiresSeconds: 90 } }
        subPopulations: [{ name: named, role: CALLER, endpoints: 2, calls: null, sipAccounts: ["1002", "1001"] }]
probes:
  - slug: child
    name: Child
    parent: parent
    fixedIntervalSec: 900
    enabled: false
    test: { registrar: pbx, callee: { mode: EXTERNAL_URI, uri: "sip:9@127.0.0.1:5070" }, placement: { mode: REGION, region: local } }
  - slug: parent
    name: Parent
    scheduleType: CRON
    cronExpression: "0 3 * * *"
    timezone: Europe/Paris
    enabled: false
    expectedStatusCodes: [486]
    test: { registrar: pbx, callee: { mode: EXTERNAL_URI, uri: "sip:9@127.0.0.1:5070" }, placement: { mode: REGION, region: local }, audioCodecs: [G722] }
    thresholds: [{ metricKey: pdd, greenValue: 100, orangeValue: 200 }, { metricKey: asr, greenValue: 99, orangeValue: 95, enabled: false }]
webhooks:
  - { url: "https://example.com/hook", events: [incident.opened, incident.resolved], secret: "env:HOOK" }
  - { url: "env:SLACK", format: SLACK, events: [incident.opened] }
`;
const file = path.join(folder, 'carillon.yaml');
await writeFile(file, FILE);

const run = (args: readonly string[], env: Readonly<Record<string, string>> = SECRETS): Promise<CommandResult> =>
  carillon(lab, args, { env, cwd: folder });
const noSecret = (said: CommandResult): boolean =>
  Object.values(SECRETS).every((secret) => !`${said.out}${said.err}`.includes(secret));
const NOTHING = /No changes/;

/** The control plane remembers keys for a moment. */
async function mayOnly(scopes: readonly string[]): Promise<void> {
  await lab.query('update api_keys set scopes = $1', [scopes]);
  await until('the key has these scopes', async () => {
    const { scopes: known } = await lab.call('getWhoami', {});
    return known.join() === scopes.join();
  });
}

t.test('every kind of object there and back', async (t) => {
  const plan = await run(['plan'], { SLACK: SECRETS.SLACK });
  t.equal(plan.code, 2, plan.err);
  t.match(plan.out, /\+ project all-kinds[\s\S]*\+ recording hello world[\s\S]*10 to create, 0 to change, 0 to delete/);
  t.match(await run(['apply']), { code: 1, err: /--yes/ }, 'nobody confirms it in a pipeline');
  const { scopes: all } = await lab.call('getWhoami', {});
  await mayOnly(['READ', 'RUN']);
  const reading = await run(['apply', '--yes']);
  await mayOnly(all);
  t.match(reading, { code: 4, out: '', err: /needs a key that may WRITE; this one may READ, RUN/ }, 'said at once');
  const missing = await run(['apply', '--yes'], { ...SECRETS, P1: '' });
  t.match(missing, { code: 1, err: /P1 is not set/ });
  const apply = await run(['apply', '--yes']);
  t.equal(apply.code, 0, apply.out + apply.err);
  t.match(await run(['plan']), { code: 0, out: NOTHING });
  t.match(await run(['plan', '--prune']), { code: 0, out: NOTHING });

  const imported = path.join(folder, 'imported.yaml');
  t.match(await run(['import', '-p', 'all-kinds', '-o', imported]), { code: 0, out: /SIP_PBX_1001/ });
  const again = { ...SECRETS, WEBHOOK_1_URL: SECRETS.SLACK, WEBHOOK_2_URL: SECRETS.SLACK };
  const back = await run(['plan', '--prune', '-f', imported], again);
  t.match(back, { code: 0, out: NOTHING }, back.err);
  const text = await readFile(imported, 'utf8');
  t.ok(text.length < 2 * FILE.length, `what goes without saying is left out: ${text.length} characters`);
  t.ok([plan, apply, back, missing, { out: text, err: '' } as CommandResult].every(noSecret), 'no secret is printed');
  t.same(
    await readFile(path.join(folder, 'media', 'hello-world')),
    await readFile(path.join(folder, 'media', 'hello.wav')),
  );
});

t.test('drift is found and mended; what keeps its name keeps its id', async (t) => {
  const projectId = (await lab.call('listProjects', {})).rows.find((p) => p.slug === 'all-kinds')?.id ?? '';
  const testId = (await lab.call('listTests', { projectId })).rows.find((r) => r.slug === 'between')?.id ?? '';
  const before = await lab.call('getTest', { projectId, testId });
  await lab.call('updateTest', { projectId, testId, buildup: 30, thresholds: [] });
  const [, hook] = (await lab.call('listWebhooks', { projectId })).rows;
  t.ok(hook);
  const plan = await run(['plan']);
  t.match(plan, { code: 2, out: /~ test between\n {4}buildup: 30 -> 3\n[\s\S]*thresholds\.avgMos/ });
  t.match(JSON.parse((await run(['plan', '--json'])).out), {
    pending: [{ action: 'UPDATE', kind: 'test', key: 'between' }],
  });
  t.equal((await run(['apply', '--yes'])).code, 0);
  const after = await lab.call('getTest', { projectId, testId });
  t.same(after.groups, before.groups, 'groups, sub-populations and their ids');
  t.match(await run(['plan']), { code: 0, out: NOTHING });
});

t.test('what somebody else changes meanwhile is not overwritten', async (t) => {
  const projectId = (await lab.call('listProjects', {})).rows.find((p) => p.slug === 'all-kinds')?.id ?? '';
  const testId = (await lab.call('listTests', { projectId })).rows.find((r) => r.slug === 'between')?.id ?? '';
  const written = await readProjectFile(file, SECRETS);
  const io = { env: SECRETS } as unknown as Io;
  const access = { url: lab.controlPlane.url, key: new Secret(lab.apiKey), project: null };
  const api = await openApi(io, {}, { access });
  await lab.call('updateTest', { projectId, testId, buildup: 20 });
  const { changes, server: told } = await compare(io, api, written, false);
  await lab.call('updateTest', { projectId, testId, durationSeconds: 9 });
  await t.rejects(
    perform(new Writer(api, written, told), changes, () => undefined),
    {
      code: 4,
      message: /test between was changed by somebody else/,
    },
  );
  t.match(await lab.call('getTest', { projectId, testId }), { buildup: 20, durationSeconds: 9 });
  t.equal((await run(['apply', '--yes'])).code, 0);
  t.match(await run(['plan']), { code: 0, out: NOTHING });
});

t.test('what the file does not name goes only if asked', async (t) => {
  const smaller = path.join(folder, 'smaller.yaml');
  await writeFile(
    smaller,
    FILE.replace(/ {2}- slug: rate[\s\S]*?probes:/, 'probes:').replace(/ {6}- \{ username: "1003" \}\n/, ''),
  );
  const plan = await run(['plan', '-f', smaller]);
  t.match(plan, { code: 0, out: /test rate is not in the file[\s\S]*No changes/ });
  t.match(plan.out, /registrar pbx: 1 SIP account is not in the file/);
  t.match(await run(['plan', '--prune', '-f', smaller]), { code: 2, out: /- test rate/ });
  const pruned = await run(['apply', '--prune', '--yes', '-f', smaller]);
  t.equal(pruned.code, 0, pruned.err);
  t.match(await run(['plan', '--prune', '-f', smaller]), { code: 0, out: NOTHING });
});

t.test('a file that is not right', async (t) => {
  await writeFile(path.join(folder, 'wrong.yaml'), FILE.replace('registrar: pbx', 'registrar: nowhere'));
  const said = await run(['plan', '-f', 'wrong.yaml']);
  t.match(said, { code: 1, err: /wrong\.yaml:\d+ [\s\S]*nowhere/ });
  t.match(await run(['plan', '-f', 'not-there.yaml']), { code: 1, err: /cannot be read/ });
});
