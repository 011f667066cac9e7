/** `carillon` in a pipeline: each exit code from a real situation, with SIPp as the far end; the files that it writes; Ctrl-C. */
import { readFile, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { parse } from 'junit2json';
import t from 'tap';
import { freeze } from '../../peers/freeze.ts';
import { callsTo } from '../../peers/lab/provision.ts';
import { freePort, ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { startChromium } from '../../peers/referees/chromium.ts';
import { junitErrors } from '../../peers/referees/junit.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { FEW, openAnswered } from './answered.ts';
import { carillon, startCarillon } from './carillon.ts';

const net = ownLoopback();
const busy = await startSipp({ address: net.address(102), scenario: { file: 'busy.xml' } });
t.teardown(() => busy.end());
const { lab, file, run, judged } = await openAnswered(t, net, (uri) => ({
  tests: [
    callsTo(uri, 'long', { ...FEW, durationSeconds: 120 }),
    callsTo(uri, 'spread', { ...FEW, endpoints: 40, buildup: 8 }),
    callsTo(busy.uri, 'busy', FEW),
  ],
  probes: [
    {
      ...{ slug: 'door', name: 'door', enabled: false, fixedIntervalSec: 300, durationSeconds: 1 },
      test: {
        registrar: 'cloud',
        callee: { mode: 'EXTERNAL_URI', uri },
        placement: { mode: 'REGION', region: 'local' },
      },
      thresholds: [],
    },
  ],
}));

t.test('0: good, with every report', async (t) => {
  const reports = ['--junit', file('j.xml'), '--markdown', file('m.md'), '--html', file('r.html')];
  const said = await judged(
    'answered',
    '--wait',
    '-t',
    'pdd.p95<60000',
    '-t',
    'asr>=100%',
    '-l',
    'commit=4f2a9c1',
    '--set',
    'endpoints=3',
    ...reports,
  );
  if (said.machineTooBusy) {
    t.match(await readFile(file('m.md'), 'utf8'), /VOID/);
    return;
  }
  t.equal(said.code, 0, said.out + said.err);
  t.match(said.out, /^Sends up to 3 calls to sip:\S+: at most 3 a second and 3 at once/m);
  t.match(said.out, /commit=4f2a9c1 {2}set endpoints=3/);
  t.match(said.out, /3 of 3 calls good[\s\S]*pdd\.p95<60000[\s\S]*All 2 limits are kept/);
  t.notOk(said.out.includes('\x1b'), 'no colours in a pipe');
  const report = await readFile(file('j.xml'), 'utf8');
  t.match(await parse(report), { tests: 3, failures: 0, errors: 0 });
  t.same(await junitErrors(report), [], 'xmllint accepts it');
  t.match(await readFile(file('m.md'), 'utf8'), /✅ answered/);
  t.match(await readFile(file('r.html'), 'utf8'), /<!doctype html>[\s\S]*default-src &#39;none&#39;/i);
});

t.test('the HTML report, in a browser without a network', async (t) => {
  const browser = await startChromium();
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const asked: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  const url = pathToFileURL(file('r.html')).href;
  await page.goto(url);
  t.match(await page.locator('h1').first().innerText(), /answered/);
  t.ok((await page.locator('table').count()) > 0, 'its tables are there');
  t.same(asked, [url], 'it asks for nothing but itself');
  t.same(faults, []);
  await browser.close();
});

t.test('a run once more, with the settings that it had', async (t) => {
  const [first] = JSON.parse((await carillon(lab, ['runs', '--label', 'commit=4f2a9c1', '-n', '1', '--json'])).out);
  await lab.call('updateTest', { projectId: lab.projectId, testId: first.testId, durationSeconds: 2 });
  const said = await carillon(lab, ['replay', first.id]);
  await lab.call('updateTest', { projectId: lab.projectId, testId: first.testId, durationSeconds: 1 });
  t.ok([0, 98, 99].includes(said.code), said.out + said.err);
  t.match(said.out, new RegExp(`answered, as run ${first.id}[\\s\\S]*commit=4f2a9c1`));
  const [replayed] = JSON.parse((await carillon(lab, ['runs', '--label', `replay-of=${first.id}`, '--json'])).out);
  t.match(replayed, { endpoints: first.endpoints, overrides: { endpoints: 3 }, labels: { commit: '4f2a9c1' } });
  const run = await lab.call('getTestRun', { projectId: lab.projectId, testRunId: replayed.id });
  t.equal(run.durationSeconds, 1, 'not what the test says by now');
});

t.test('runs by what the API can narrow them', async (t) => {
  const ids = async (...args: string[]) => {
    const said = await carillon(lab, ['runs', '--json', ...args]);
    t.equal(said.code, 0, said.err);
    return (JSON.parse(said.out) as { testName: string; status: string }[]).map((r) => `${r.testName} ${r.status}`);
  };
  const labelled = await ids('--label', 'commit', '--tests', '--status', 'completed', '--sort', 'submittedAt');
  t.ok(labelled.length > 0 && labelled.every((one) => one === 'answered COMPLETED'), labelled.join());
  t.same(await ids('--status', 'failed', '--to', '2020-01-01T00:00:00Z'), []);
  const wrong = await carillon(lab, ['runs', '--status', 'done', '--sort', 'size']);
  t.match(wrong, { code: 4, err: /status[\s\S]*must be one of PENDING[\s\S]*sort: must be one of/ });
});

t.test('0: started, and not waited for', async (t) => {
  const said = await run('answered');
  t.equal(said.code, 0, said.err);
  const id = /Run (\S+) is started/.exec(said.out)?.[1] ?? '';
  t.equal((await lab.ended(id)).status, 'COMPLETED');
});

/** The page of a code. */
const pageOf = (code: string) => `What to do: ${lab.controlPlane.url}/docs/reference/errors#${code}\n`;

t.test('1: usage', async (t) => {
  for (const args of [
    ['run'],
    ['run', 'nothing'],
    ['run', 'answered', '-t', 'pddd<1'],
    ['run', 'answered', '--wiat'],
    ['run', 'answered', '--label', 'commit'],
    ['run', 'answered', '--set', 'rate=3'],
    ['run', 'answered', '--set', 'endpoints=0'],
    ['run', 'answered', '--junit', '/nowhere/x.xml'],
    ['nothing'],
  ]) {
    const said = await carillon(lab, args);
    t.equal(said.code, 1, args.join(' '));
    t.ok(said.err.length > 0 && !said.err.includes('    at '), said.err);
  }
  const stranger = await carillon(null, ['run', 'x'], { env: { HOME: lab.dir } });
  t.match(stranger, { code: 1, err: /carillon login/ });
});

t.test('3: could not run', async (t) => {
  const said = await run('elsewhere', '--wait', '--junit', file('3.xml'));
  t.equal(said.code, 3, said.out + said.err);
  t.match(said.out, /NO_ONLINE_WORKER/);
  t.match(said.out, pageOf('no_online_worker'));
  const report = await readFile(file('3.xml'), 'utf8');
  t.match(await parse(report), { tests: 1, errors: 1 });
  t.same(await junitErrors(report), [], 'xmllint accepts it');
});

t.test('4: the API refuses, or is not there', async (t) => {
  const wrong = { CARILLON_API_KEY: `crl_${'0'.repeat(32)}` };
  const refused = await carillon(lab, ['run', 'answered'], { env: wrong });
  t.match(refused, { code: 4, err: /UNAUTHORIZED/ });
  t.match(refused.err, pageOf('unauthorized'));
  const away = { CARILLON_URL: `http://127.0.0.1:${await freePort()}`, CARILLON_ATTEMPTS: '2' };
  t.match(await carillon(lab, ['run', 'answered'], { env: away }), {
    code: 4,
    err: /ECONNREFUSED[\s\S]*trying again[\s\S]*unreachable/,
  });
});

t.test('98: VOID, the agent stalled', async (t) => {
  const started = startCarillon(lab, ['run', 'spread', '--wait', '--json']);
  const id = await until('the run goes on', async () => {
    const { rows } = await lab.call('listTestRuns', { projectId: lab.projectId, per_page: 5 });
    return rows.find((r) => r.testName === 'spread' && r.status === 'RUNNING')?.id;
  });
  await lab.reaches(id, 'calls', (r) => r.callTiming.totalCalls > 2);
  const agent = lab.agents[0]!;
  await freeze(agent.pid, 1500);
  const said = await started.ended;
  t.equal(said.code, 98, said.out.slice(0, 2000));
  t.match(JSON.parse(said.out), { exitCode: 98, run: { id, validity: { verdict: 'VOID' } } }, 'JSON by itself');
});

t.test('99: a threshold was crossed', async (t) => {
  const own = await judged('busy', '--wait', '--junit', file('99.xml'));
  if (own.machineTooBusy) {
    t.match(await readFile(file('99.xml'), 'utf8'), /VOID/);
    return;
  }
  t.equal(own.code, 99, own.out);
  t.match(own.out, /4 {2}486 Busy Here[\s\S]*failures<=0[\s\S]*default/, 'calls that failed do not pass by default');
  t.match(await parse(await readFile(file('99.xml'), 'utf8')), { failures: 1, errors: 0 });
  const unmeasured = await judged('busy', '-t', 'callSetup.p95<100000');
  if (!unmeasured.machineTooBusy) t.match(unmeasured, { code: 99, out: /not measured/ }, 'not measured never passes');
  const asked = await judged('busy', '-t', 'calls>=4');
  if (!asked.machineTooBusy) t.equal(asked.code, 0, 'what is asked for is what is judged');
});

t.test('105: Ctrl-C cancels the run', async (t) => {
  const started = startCarillon(lab, ['run', 'long', '--wait', '--junit', file('105.xml')]);
  await until('calls are up', () => / 4 in call/.test(started.out()));
  started.signal('SIGINT');
  const said = await started.ended;
  t.equal(said.code, 105, said.out + said.err);
  t.match(said.out, /The run was cancelled/);
  const { rows } = await lab.call('listTestRuns', { projectId: lab.projectId, per_page: 1 });
  t.match(rows[0], { testName: 'long', status: 'CANCELLED' });
  t.match(await parse(await readFile(file('105.xml'), 'utf8')), { errors: 1 });
});

t.test('runs, a run, a call, what the key sees', async (t) => {
  const said = async (...args: string[]) => {
    const one = await carillon(lab, args);
    t.equal(one.code, 0, `${args.join(' ')}: ${one.err}`);
    return one.out;
  };
  t.match(await said('runs', '--test', 'busy', '-n', '1'), /busy +\d{4}-\d\d-\d\d .* 0 of 4 calls good/);
  const [run] = JSON.parse(await said('runs', '--test', 'busy', '-n', '1', '--json'));
  t.match(await said('show', run.id.slice(-8)), /486 Busy Here[\s\S]*NOT KEPT/);
  const ladder = await said('ladder', 'worst', '--run', run.id);
  t.match(ladder, /INVITE ─+▶│[\s\S]*◀─+ 486 Busy Here ─+│[\s\S]*ACK ─+▶│/);
  const callId = ladder.split('\n')[1] ?? '';
  t.equal((await said('ladder', callId, '--run', run.id)).split('\n')[1], callId, 'by its Call-ID');
  t.match(await said('download', run.id, '-f', 'csv', '-o', '-'), /486/);
  t.match(await said('whoami'), /control plane 0\.1\.0\n[\s\S]*lab +lab +5 +1/);
  t.match(await said('probes'), /probe +health/);
});

t.test('the shell completes tests and runs', async (t) => {
  const offered = async (...words: string[]) => (await carillon(lab, ['complete', '--', ...words])).out;
  t.match(await offered('run', ''), /^answered\t[\s\S]*^busy\t/m);
  t.notMatch(await offered('run', 'bu'), /^answered/m);
  t.match(await offered('runs', '--test', ''), /^busy\t/m);
  t.match(await offered('show', 'la'), /^last\t\w+, [A-Z]+, /m);
  const stranger = await carillon(null, ['complete', '--', 'run', ''], { env: { HOME: file('nowhere') } });
  t.match(stranger, { code: 0, err: '' });
});

t.test('login stores the key for its owner only', async (t) => {
  const env = { HOME: file('home'), CARILLON_URL: '', CARILLON_API_KEY: '' };
  const said = await carillon(lab, ['login', '--url', `${lab.controlPlane.url}/api/v1/`, '--key-stdin'], {
    env,
    input: `${lab.apiKey}\n`,
  });
  t.equal(said.code, 0, said.err);
  t.notMatch(said.out + said.err, lab.apiKey);
  const stored = file('home/.config/carillon/credentials.json');
  t.equal((await stat(stored)).mode & 0o777, 0o600);
  t.match(await carillon(lab, ['run', 'nothing'], { env }), { code: 1, err: /there are answered/ }, 'it is used');
  const other = { ...env, CARILLON_URL: 'http://127.0.0.1:1' };
  t.match(
    await carillon(lab, ['run', 'x'], { env: other }),
    { code: 1, err: /No API key for/ },
    'and sent to no other server',
  );
  const wrong = await carillon(lab, ['login', '--url', lab.controlPlane.url, '--key-stdin'], {
    env,
    input: `crl_${'1'.repeat(32)}\n`,
  });
  t.equal(wrong.code, 4, 'a key that is not good is not stored');
  t.match(JSON.parse(await readFile(stored, 'utf8')), { key: lab.apiKey });
  t.equal((await carillon(lab, ['logout'], { env })).code, 0);
  t.equal((await carillon(lab, ['run', 'x'], { env })).code, 1);
});

t.test('5: the run failed, its only agent is gone', async (t) => {
  const started = startCarillon(lab, ['run', 'long', '--wait']);
  await until('calls are up', () => / 4 in call/.test(started.out()));
  await lab.agents[0]?.stop('SIGKILL');
  const said = await started.ended;
  t.equal(said.code, 5, said.out + said.err);
  t.match(said.out, /ALL_WORKERS_LOST/);
});
