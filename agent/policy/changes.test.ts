/** A policy that changes during calls, and the minutes of a day. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { until } from '../../scripts/peers/process.ts';
import { HostPace } from '../run/limits/host-pace.ts';
import { HostPolicy } from '../run/limits/host-policy.ts';
import type { SharePlan } from '../run/plan.ts';
import { CALL_MS, endpoint, PairWorld, sharePlan } from '../testing/run/pair.ts';
import { CurrentPolicy } from './current-policy.ts';
import { DayMinutes, MinutesBook } from './minutes.ts';
import { type Policy, policyJsonSchema, readPolicy } from './policy.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-policy-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const defaults = await readPolicy(null);

t.test('a file that changes is read again; one that is broken leaves the old in force', async (t) => {
  const file = path.join(dir, 'policy.yaml');
  await writeFile(file, 'maxEndpoints: 7\n');
  const current = await CurrentPolicy.open(file);
  const told: number[] = [];
  const faults: string[] = [];
  current.watch({ onPolicy: (p) => told.push(p.maxEndpoints), onFault: (fault) => faults.push(fault) });
  t.teardown(() => current.close());

  await writeFile(file, 'maxEndpoints: many\n');
  process.kill(process.pid, 'SIGHUP');
  // Between the parts of a slow write it is empty.
  await until('the fault is told', () => /policy\.yaml cannot be used: maxEndpoints/.test(faults.at(-1) ?? ''));
  t.equal(current.fault, faults.at(-1));
  t.equal(current.policy.maxEndpoints, 7, 'the old one holds');

  await writeFile(file, 'maxEndpoints: 5\nmaxCallsPerSecond: 9\n');
  await until('it was noticed without a signal', () => told.includes(5));
  t.match(current, { fault: null, policy: { maxEndpoints: 5, maxCallsPerSecond: 9 } });
  const { taken } = current.readings;
  process.kill(process.pid, 'SIGHUP');
  await until('it was read again', () => current.readings.taken > taken);
  t.same(told, [5], 'what is the same is not told again');
  await writeFile(file, '# not written yet\n');
  await until('an empty file is refused', () => /it is empty/.test(current.fault ?? ''));
  t.equal(current.policy.maxEndpoints, 5, 'and is not the defaults');
  await rm(file);
  process.kill(process.pid, 'SIGHUP');
  await until('its absence is told', () => /ENOENT/.test(current.fault ?? ''));
  t.equal(current.policy.maxEndpoints, 5);
  t.ok(current.readings.taken >= 1 && current.readings.refused >= 2);
});

t.test('a file is read when its writer has done; what came before anybody watched is not lost', async (t) => {
  const file = path.join(dir, 'slow.yaml');
  await writeFile(file, 'maxEndpoints: 7\nmaxCallsPerSecond: 9\n');
  const whole = 'maxEndpoints: 6\nmaxCallsPerSecond: 8\n';
  let isWriting = true;
  let between = 0;
  const pause = async (): Promise<void> => {
    if (!isWriting) return;
    isWriting = ++between < 8;
    await writeFile(file, isWriting ? `maxEndpoints: 6\n${'#'.repeat(between)}\n` : whole);
  };
  const current = await CurrentPolicy.open(file, pause);
  t.teardown(() => current.close());
  process.kill(process.pid, 'SIGHUP');
  await writeFile(file, 'maxEndpoints: 6\n');
  const told: Policy[] = [];
  current.watch({ onPolicy: (p) => told.push(p), onFault: (fault) => t.fail(fault) });
  await until('it is told', () => told.length > 0);
  t.equal(between, 8, 'each look found it changed, until its writer had done');
  t.match(told, [{ maxEndpoints: 6, maxCallsPerSecond: 8 }], 'never the half of it');
});

t.test('the schema says what the reading takes', async (t) => {
  const { properties } = policyJsonSchema() as { properties: Record<string, { description?: string }> };
  t.same(Object.keys(properties).sort(), Object.keys(defaults).sort());
});

/** Two ends in a call, under a policy. */
async function talking(policy: Partial<Policy>, targetUri = 'sip:e1@127.0.0.1:5060') {
  const world = new PairWorld();
  const minutes = new DayMinutes();
  const host = new HostPolicy({ ...defaults, ...policy }, new HostPace(50).memory, minutes.memory);
  minutes.limit(host.policy.maxMinutesADay);
  world.host = host;
  const callee = await world.open(sharePlan('CALLEE', {}));
  const caller = await world.open(sharePlan('CALLER', {}, { endpoints: [endpoint(0, { targetUri })] }));
  const replace = (more: Partial<Policy>): void => {
    host.replace({ ...host.policy, ...more }, new HostPace(50).memory, world.nowMs);
    for (const share of [callee, caller]) share.obey(host.policy, world.nowMs);
  };
  world.start();
  world.go(1000);
  return { world, host, minutes, replace };
}

t.test('a narrower policy ends what it refuses, by name', async (t) => {
  const cases: [string, Partial<Policy>, string][] = [
    ['networks', { targetNetworks: ['192.0.2.0/24'] }, 'TARGET_NOT_ALLOWED'],
    ['domains', { targetDomains: ['pbx.example'] }, 'TARGET_NOT_ALLOWED'],
    ['numbers', { refusedNumbers: ['^e1$'] }, 'NUMBER_NOT_ALLOWED'],
    ['allowed numbers', { allowedNumbers: ['^49'] }, 'NUMBER_NOT_ALLOWED'],
  ];
  for (const [name, narrower, cause] of cases) {
    const named = name === 'domains' ? 'sip:e1@pbx.test' : undefined;
    const { world, replace } = await talking({}, named);
    t.equal(world.outcomes.length, 0, `${name}: the call is up`);
    replace(narrower);
    world.go(1100);
    t.match(world.outcomes[0], { cause, causeText: /was changed/ }, name);
    t.equal(world.outcomes.length, 2, `${name}: the other end is not left alone`);
  }
  const latched = await talking({});
  const networks = ['127.0.0.0/8', '10.0.0.0/8'];
  latched.world.followed.set(20_000, '10.1.2.3');
  latched.replace({ targetNetworks: networks });
  latched.world.go(1100);
  t.equal(latched.world.outcomes.length, 0);
  latched.replace({ targetNetworks: networks.slice(0, 1) });
  latched.world.go(1200);
  t.match(
    latched.world.outcomes.find((o) => o.cause !== null),
    { cause: 'TARGET_NOT_ALLOWED', causeText: /10\.1\.2\.3/ },
    'media that has turned to whom it heard',
  );
  t.equal(latched.world.streams.size, 0);

  const { world, replace } = await talking({});
  replace({ maxDurationSeconds: 2, maxEndpoints: 1, maxCallsPerSecond: 1 });
  world.go(1900);
  t.equal(world.outcomes.length, 0);
  world.go(2100);
  t.match(world.outcomes[0], { cause: 'DURATION_NOT_ALLOWED', callDurationMs: 2000 });

  const wider = await talking({});
  wider.replace({ targetNetworks: ['0.0.0.0/0'] });
  wider.world.go(CALL_MS + 1000);
  t.same(
    wider.world.outcomes.map((o) => o.cause),
    [null, null],
    'a wider one ends nothing',
  );
});

/** Shares that are opened under one policy, which changes before they are prepared. */
async function overtaken(narrower: Partial<Policy>, plans: readonly SharePlan[]) {
  const world = new PairWorld();
  const host = new HostPolicy(defaults, new HostPace(50).memory, new DayMinutes().memory);
  world.host = host;
  const replace = (more: Partial<Policy>): void =>
    host.replace({ ...host.policy, ...more }, new HostPace(50).memory, world.nowMs);
  replace(narrower);
  const shares = [];
  for (const plan of plans) shares.push(await world.open(plan, (share) => share.obey(host.policy, world.nowMs)));
  return { world, shares, replace };
}

t.test('a policy that overtakes an allocation on its way holds for it', async (t) => {
  const pbx = { targetDomains: ['pbx.example'] };
  const called = sharePlan('CALLER', {}, { endpoints: [endpoint(0, { targetUri: 'sip:e1@pbx.test' })] });
  const registered = sharePlan('CALLEE', { register: true, registrarUri: 'sip:pbx.test' });
  const { world, shares } = await overtaken(pbx, [registered, called]);
  t.same(
    shares.map((share) => [share.state, share.openEndpoints]),
    [
      ['READY', 0],
      ['READY', 0],
    ],
    'nobody waits for a registration that never comes',
  );
  world.start();
  world.go(100);
  t.same(
    world.outcomes.map((o) => o.cause),
    ['TARGET_NOT_ALLOWED', 'TARGET_NOT_ALLOWED'],
  );
  t.equal(world.invites, 0);

  const late = await overtaken({}, [sharePlan('CALLER', {})]);
  late.replace({ refusedNumbers: ['^e1$'] });
  late.world.start();
  late.world.go(100);
  t.match(late.world.outcomes, [{ cause: 'NUMBER_NOT_ALLOWED', causeText: /forbids sip:e1@/ }], 'asked at each call');
  t.equal(late.world.invites, 0);

  const short = await overtaken({ maxDurationSeconds: 2 }, [sharePlan('CALLEE', {}), sharePlan('CALLER', {})]);
  short.world.start();
  short.world.go(2500);
  t.match(short.world.outcomes[0], { cause: 'DURATION_NOT_ALLOWED', callDurationMs: 2000 }, 'calls that come later');
});

t.test('registrations that are ended while others are prepared are not waited for', async (t) => {
  const plan = sharePlan('CALLEE', { register: true, registrarUri: 'sip:pbx.test' });
  const { world, shares, replace } = await overtaken({}, [plan]);
  t.equal(shares[0]?.state, 'PREPARING');
  replace({ targetDomains: ['pbx.example'] });
  shares[0]?.obey({ ...defaults, targetDomains: ['pbx.example'] }, world.nowMs);
  t.equal(shares[0]?.state, 'READY');
});

t.test('where a REFER pointed is judged again when it is called, and while that call goes on', async (t) => {
  const refuse = { refusedNumbers: ['^e2$'] };
  for (const isCalled of [false, true]) {
    const { world, replace } = await talking({});
    const other = await world.open(sharePlan('CALLEE', {}, { owner: 3, endpoints: [endpoint(2)] }));
    other.start(world.nowMs);
    world.calls[0]?.peer?.refer('sip:e2@127.0.0.1:5060');
    world.go(isCalled ? 1100 : 1001);
    t.equal(world.invites, isCalled ? 2 : 1);
    replace(refuse);
    world.go(1200);
    t.equal(world.invites, isCalled ? 2 : 1);
    if (!isCalled) world.go(CALL_MS + 1000);
    t.match(world.outcomes[0], { endpoint: 0, cause: 'NUMBER_NOT_ALLOWED' });
  }
});

t.test('what ends a call still gets through where the old policy let it go, for five seconds', async (t) => {
  const host = new HostPolicy(defaults, new HostPace(50).memory, new DayMinutes().memory);
  t.notOk(host.mayLeave('127.0.0.1', 0), 'nothing has changed');
  host.replace({ ...defaults, targetNetworks: ['192.0.2.0/24'] }, new HostPace(50).memory, 1000);
  t.notOk(host.mayReach('127.0.0.1'));
  t.same(
    [1000, 5999, 6000].map((at) => host.mayLeave('127.0.0.1', at)),
    [true, true, false],
  );
  t.notOk(host.mayLeave('8.8.8.8', 1000), 'the old one did not, either');
});

t.test('the minutes of a day: spent, they end calls; a restart does not reset them, midnight UTC does', async (t) => {
  const { world, minutes } = await talking({ maxMinutesADay: 0.1 });
  world.go(2000);
  for (let at = 2100; at <= 4000; at += 100) world.go(at);
  t.ok(minutes.spentMs >= 6000, `${minutes.spentMs} ms, both ends`);
  t.match(world.outcomes[0], { cause: 'MINUTES_SPENT', causeText: /0.1 minutes/, callResult: 'ERROR' });
  const after = await world.open(sharePlan('CALLER', {}, { owner: 3 }));
  after.start(world.nowMs);
  world.go(world.nowMs + 500);
  t.equal(world.outcomes.filter((o) => o.endpoint === 0).at(-1)?.cause, 'MINUTES_SPENT', 'the next one is not placed');

  const day = Date.parse('2026-03-01T12:00:00Z');
  const errors: unknown[] = [];
  const log = { error: (of: unknown) => errors.push(of) };
  const book = await MinutesBook.open(dir, day, log);
  book.minutes.spend(90_000);
  await book.save();
  t.match(JSON.parse(await readFile(path.join(dir, 'minutes.json'), 'utf8')), {
    day: '2026-03-01',
    milliseconds: 90_000,
  });
  const again = await MinutesBook.open(dir, day + 3_600_000, log);
  t.equal(again.minutes.spentMs, 90_000, 'a restart');
  t.equal((await MinutesBook.open(dir, day - 86_400_000, log)).minutes.spentMs, 90_000, 'a clock that was set back');
  again.turn(Date.parse('2026-03-01T23:59:59Z'));
  t.equal(again.minutes.spentMs, 90_000);
  again.turn(Date.parse('2026-03-02T00:00:00Z'));
  t.equal(again.minutes.spentMs, 0);
  t.equal((await MinutesBook.open(dir, day + 86_400_000, log)).minutes.spentMs, 0);
  await writeFile(path.join(dir, 'minutes.json'), '{"day":');
  t.equal((await MinutesBook.open(dir, day, log)).minutes.spentMs, 0, 'damaged: it starts all the same');
  t.match(errors, [{ file: /minutes\.json$/ }], 'and says so');
  await rm(path.join(dir, 'minutes.json'));
  await mkdir(path.join(dir, 'minutes.json'));
  await t.rejects(MinutesBook.open(dir, day, log), /cannot be read/);
});
