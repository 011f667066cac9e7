/** The host owner's policy: which numbers, how many calls a second over the whole host, for how long. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { wire } from '@carillon/proto';
import { dialledNumber, numberObstacle, numberPredicate } from '@carillon/proto/dialled-number.ts';
import t from 'tap';
import { refusal as checkedTarget } from '../commands/policy.ts';
import { abilitiesOf } from '../rtp/abilities.ts';
import { AllocationRefused } from '../run/limits/allocation-refused.ts';
import { decodeAllocation, type Limits } from '../run/order/decode-allocation.ts';
import { callPredicate, domainPredicate, listenRefusal, reachPredicate } from './judge.ts';
import { type Policy, readPolicy } from './policy.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-policy-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const defaults = await readPolicy(null);
const { Allocation, Role } = wire.agent.v1;

t.test('the number of a URI, however it is written', async (t) => {
  for (const [uri, number] of [
    ['sip:112@pbx', '112'],
    ['SIPS:+49-30.123(4)%205@pbx;user=phone', '493012345'],
    ['sip:%31%31%32@pbx', '112'],
    ['sip:112;phone-context=+49@pbx', '112'],
    ['sip:112:password@pbx', '112'],
    ['sip:112?x@pbx', '112'],
    ['sip:112%23@pbx', '112'],
    ['sip:%zz@pbx', '%zz'],
    ['sip:alice@pbx', 'alice'],
    ['sip:10.0.0.1:5060', ''],
    ['tel:112', '112'],
    ['TEL:+1-(900).555-1234;ext=7', '19005551234'],
    ['tel:%31%31%32;phone-context=example.com', '112'],
    ['', ''],
    ['sip:\uff11\uff11\uff12@pbx', '112'],
    [Buffer.from('sip:\uff11\uff11\uff12@pbx').toString('latin1'), '112'],
    ['sip:%EF%BC%91%EF%BC%91%EF%BC%92@pbx', '112'],
    ['sip:\u0661\u0661\u0662@pbx', '112'],
    ['sip:\u2460\u2460\u2461@pbx', '112'],
    ['sip:%2531%2531%2532@pbx', '112'],
    ['sip:1\u200b1\u00ad2\u2011@pbx', '112'],
    ['sip:112@pbx?X=@evil', '112'],
  ] as const) {
    t.equal(dialledNumber(uri), number, uri);
  }
});

t.test('emergency and premium numbers are refused, unless the owner says otherwise', async (t) => {
  const mayDial = numberPredicate(defaults);
  const refused = ['112', '911', '999', '110', '118', '119', '000', '08', '15', '17', '18', '+112', '00112', '1-1-2'];
  const premium = [
    '+1 900 555 1234',
    '0019005551234',
    '09001234567',
    '+49 900 1 234567',
    '+449098790001',
    '+979123456789',
  ];
  for (const number of [...refused, ...premium, '+8816123456789']) t.notOk(mayDial(`sip:${number}@pbx`), number);
  const dressed = [
    '*31#112',
    '#31#112',
    '*6719005551234',
    '01119005551234',
    '1-900-CALL-NOW',
    '5551234;phone-context=+1900',
  ];
  for (const number of dressed) t.notOk(mayDial(`sip:${number}@pbx`), number);
  const fine = ['9000', '1001', '12345', 'u0001', 'e0-x7f', '9', '99', '100', '1120', '2112', '08001234567'];
  for (const number of [...fine, '+493012345678', '+15551234567', 'alice', '00'])
    t.ok(mayDial(`sip:${number}@pbx`), number);
  for (const number of ['112', '112;phone-context=+49', '+1-900-555-1234', '0019005551234', '+49(900)1.234567;ext=1'])
    for (const scheme of ['tel', 'Tel']) t.notOk(mayDial(`${scheme}:${number}`), `${scheme}:${number}`);
  t.ok(mayDial('tel:+493012345678'));
  t.ok(mayDial('sip:127.0.0.1:5060'));

  const outside = ['9112', '0112', '9911', '90112', '*112', '919005551234', '00119005551234', 'sos', 'SOS.fire'];
  for (const number of outside) t.notOk(mayDial(`sip:${number}@pbx`), number);
  for (const number of ['9000', '9015', '0000', '9100', '9555', '0301234567', 'sosa'])
    t.ok(mayDial(`sip:${number}@pbx`), number);

  const file = path.join(dir, 'policy.yaml');
  await writeFile(file, 'outsideLinePrefixes: ["8"]\nallowedNumbers: ["^\\\\d{4}$"]\n');
  const eight = numberPredicate(await readPolicy(file));
  t.same(
    ['8112', '9112', '84930'].map((number) => eight(`sip:${number}@pbx`)),
    [false, true, false],
    'what follows a prefix is refused where it would be, and allowed by nothing',
  );
  await writeFile(file, 'refusedNumbers: []\n');
  t.ok(numberPredicate(await readPolicy(file))('sip:112@pbx'));
  await writeFile(file, 'refusedNumbers: ["^49"]\n');
  const own = numberPredicate(await readPolicy(file));
  t.same([own('sip:112@pbx'), own('sip:+4930@pbx'), own('sip:004930@pbx')], [true, false, false]);
  await writeFile(file, 'allowedNumbers: ["^4930"]\nrefusedNumbers: ["99$"]\n');
  const few = numberPredicate(await readPolicy(file));
  t.same(
    ['sip:+49 30 1@pbx', 'sip:004930199@pbx', 'sip:9000@pbx', 'sip:pbx'].map((uri) => few(uri)),
    [true, false, false, true],
  );
  await writeFile(file, 'refusedNumbers: ["("]\n');
  await t.rejects(readPolicy(file), /refusedNumbers\.0: .*regular expression/);
  await writeFile(file, 'allowedNumbers: ["^(?!49)"]\n');
  await t.rejects(readPolicy(file), /allowedNumbers\.0: .*it looks ahead/);
});

const allocation = (callAtMs: number[], more: object = {}, target = 'sip:9000@127.0.0.1:5070') => {
  const each = <T>(value: T) => callAtMs.map(() => value);
  return Allocation.decode(
    Allocation.encode({
      role: Role.CALLER,
      callDurationMs: 5000,
      hardEndMs: 125_000,
      group: { audioCodecs: ['PCMU'] },
      endpoints: {
        number: callAtMs.map((_, i) => i),
        listener: each(0),
        registerAtMs: each(0),
        callAtMs,
        user: callAtMs.map((_, i) => `e${i}`),
        accountUser: each(''),
        accountPassword: each(''),
        targetUri: each(target),
      },
      ...more,
    }).finish(),
  ) as wire.agent.v1.Allocation;
};

const policy: Policy = { ...defaults, maxCallsPerSecond: 10, maxDurationSeconds: 60 };
const decode = (a: wire.agent.v1.Allocation, carried: Limits['carried'] = [], of = policy) =>
  decodeAllocation(a, 1, 1, {
    policy: of,
    mayReach: reachPredicate(policy),
    room: 1000,
    streamRoom: 1000,
    abilities: abilitiesOf({ fingerprint: null }),
    carried,
  });
const refusal = async (a: wire.agent.v1.Allocation, carried: Limits['carried'] = []) => {
  try {
    await decode(a, carried);
    return null;
  } catch (error) {
    return error instanceof AllocationRefused ? `${error.code}: ${error.message}` : String(error);
  }
};

t.test('a refused number is a failure of that name', async (t) => {
  const text = 'NUMBER_NOT_ALLOWED: the policy of this host does not allow calls to 112';
  t.match(await refusal(allocation([0, 100], {}, 'sip:+112@127.0.0.1')), new RegExp(`^${text}: refusedNumbers has `));
});

t.test('the rule that refuses a number is named, with the reading that it refuses', async (t) => {
  const rows: [uri: string, said: RegExp | ''][] = [
    ['sip:9999@pbx', /, and it reads 999 after a prefix for an outside line \(outsideLinePrefixes\)$/],
    ['sip:112@pbx', /, and it reads 112$/],
    ['sip:00112@pbx', /, and it reads 112$/],
    ['sip:1234@pbx', ''],
    ['sip:pbx', ''],
  ];
  for (const [uri, said] of rows) t.match(numberObstacle(defaults, uri), said === '' ? /^$/ : said, uri);
  const few = { ...defaults, allowedNumbers: ['^1\\d{3}$'] };
  t.equal(numberObstacle(few, 'sip:2345@pbx'), 'allowedNumbers has no pattern for it');
  t.equal(numberObstacle({ ...few, outsideLinePrefixes: [], refusedNumbers: [] }, 'sip:1999@pbx'), '');
  t.equal(
    numberObstacle({ ...defaults, outsideLinePrefixes: [] }, 'sip:9999@pbx'),
    '',
    'the extension can be called then',
  );
  t.match(numberObstacle({ ...defaults, refusedNumbers: [`^(${'1|'.repeat(99)}2)$`] }, 'sip:2@pbx'), /^.{60,120}$/);
});

t.test(
  'headers of RTP are kept where the owner lets them be, and no more of them than there is room for',
  async (t) => {
    const traced = (endpoint: number[], packets: number) =>
      Object.assign(allocation([0]), { rtpTrace: { endpoint, packets } }) as never;
    t.equal(await refusal(traced([0], 100)), null);
    t.match(await refusal(traced([0], 15_001)), /^CAPACITY: /);
    const kept = async (rtpHeaders: boolean) => {
      const mayKeep = { ...policy.mayKeep, rtpHeaders };
      const [share] = (await decode(traced([0], 100), [], { ...policy, mayKeep })).values();
      return share?.traced ?? null;
    };
    t.same(await kept(true), { endpoints: [0], packets: 100 });
    t.equal(await kept(false), null);
  },
);

t.test('calls in a second are counted over everything that the host carries', async (t) => {
  const six = [0, 100, 200, 300, 400, 500];
  const other = (runId: string, callAtMs: number[]) => ({ isSameRun: runId === 'run', runId, callAtMs });
  t.equal(await refusal(allocation(six)), null);
  t.match(await refusal(allocation(six), [other('run', six)]), /^POLICY: 12 calls in a second/);
  t.equal(
    await refusal(allocation(six), [
      other(
        'run',
        six.map((at) => at + 2000),
      ),
    ]),
    null,
    'the same run, later',
  );
  t.match(
    await refusal(allocation(six), [
      other(
        'b',
        six.map((at) => at + 2000),
      ),
    ]),
    /^POLICY: 12 calls in a second/,
    'another run: nobody knows when it starts',
  );
  t.equal(await refusal(allocation(six), [other('b', [0, 1])]), null);
  const ten = Array.from({ length: 10 }, (_, i) => i * 100);
  t.equal(await refusal(allocation([0]), [other('b', ten)]), null, 'one call finds its turn beside any load');
  t.match(await refusal(allocation([0]), [other('run', ten)]), /^POLICY: 11 calls/, 'but not as one more of it');
  t.match(await refusal(allocation(six), [other('b', [0, 1]), other('c', [0, 1, 2])]), /^POLICY: 11 calls/);
  t.equal(
    await refusal(allocation(six), [other('b', [0, 1, 2]), other('b', [5000, 5001])]),
    null,
    'one run, one window',
  );
  t.equal(await refusal(allocation(six, { role: Role.CALLEE }), [other('b', Array(10).fill(0))]), null);
});

t.test('no call outlives the owner’s limit, whichever end was to hang up', async (t) => {
  t.match(await refusal(allocation([0], { callDurationMs: 61_000 })), /^POLICY: calls of 61 s/);
  const shares = async (more: object) => [...(await decode(allocation([0, 7000], more))).values()][0];
  t.match(await shares({}), { hardEndMs: 125_000, longestCallMs: 62_000 }, 'what was planned stays');
  t.match(await shares({ hardEndMs: 86_400_000 }), { hardEndMs: 7000 + 60_000 + 120_000 });
  const callee = { role: Role.CALLEE, hardEndMs: 86_400_000, receiveWindowMs: 30_000 };
  t.match(await shares(callee), { hardEndMs: 30_000 + 60_000 + 120_000, longestCallMs: 62_000 });
});

t.test('domains: names that may be asked for or called', async (t) => {
  const file = path.join(dir, 'domains.yaml');
  await writeFile(file, 'targetDomains: [pbx.example, "*.Example.NET"]\n');
  const policy = await readPolicy(file);
  const mayName = domainPredicate(policy);
  for (const host of ['pbx.example', 'PBX.example.', 'sip.example.net', 'a.b.example.net', '192.0.2.1', '::1', ''])
    t.ok(mayName(host), host);
  for (const host of ['example.net', 'evil-example.net', 'pbx.example.evil', 'sub.pbx.example', '1.2.3', 'localhost'])
    t.notOk(mayName(host), host);
  const mayCall = callPredicate(policy);
  t.ok(mayCall('sip:bob@pbx.example:5070;transport=tcp?X-A=@evil.example'));
  t.ok(mayCall('tel:+493012345678'), 'a number has no domain');
  for (const uri of [
    'sip:bob@evil.example',
    'sips:evil.example',
    'sip:pbx.example@evil.example',
    'sip:112@pbx.example',
  ])
    t.notOk(mayCall(uri), uri);
  t.ok(callPredicate(await readPolicy(null))('sip:bob@anywhere.example'), 'nothing said: any name');
  await writeFile(file, 'targetDomains: ["*"]\n');
  await t.rejects(readPolicy(file), /targetDomains\.0: .*NAME or \*\.NAME/);
});

t.test('addresses: one plain spelling, and what IPv6 wraps', async (t) => {
  const mayReach = reachPredicate(defaults);
  for (const address of [
    '127.0.0.1',
    '10.255.255.255',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    'fd00::1',
    'fe80::1',
  ])
    t.ok(mayReach(address), address);
  for (const address of [
    '8.8.8.8',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '2002:808:808::1',
    '64:ff9b::808:808',
    '::8.8.8.8',
    '2001:db8::1',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.1',
    'localhost',
    '',
  ])
    t.notOk(mayReach(address), address);
});

t.test('`policy check` says what the agent would do', async (t) => {
  const mayCall = callPredicate(defaults);
  const targets = [
    'sip:100@127.0.0.1',
    'sip:100@8.8.8.8',
    'sip:x@127.0.0.1;maddr=8.8.8.8',
    'sip:1@2130706433',
    'sip:1@0x7f.1',
    'sip:1@127.1',
    'sip:9911@127.0.0.1',
    'sip:alice@4you.example',
    'tel:0112',
  ];
  for (const target of targets) t.equal(checkedTarget(defaults, target) === null, mayCall(target), target);
  t.same(targets.map(mayCall), [true, false, false, false, false, false, false, true, false]);
});

t.test('what was judged before is judged alike: after thousands of others, and however long it is', async (t) => {
  const mayCall = callPredicate(defaults);
  const long = 'x'.repeat(300);
  const asked: [string, boolean][] = [
    ['sip:100@127.0.0.1', true],
    ['sip:112@127.0.0.1', false],
    ['sip:100@8.8.8.8', false],
    [`sip:100@127.0.0.1;${long}`, true],
    [`sip:112@127.0.0.1;${long}`, false],
  ];
  for (let round = 0; round < 3; round++) {
    for (const [uri, may] of asked) t.equal(mayCall(uri), may, `${uri.slice(0, 30)}, round ${round}`);
    for (let other = 0; other < 5000 * round; other++) mayCall(`sip:${1000 + other}@127.0.0.1`);
  }
});

t.test('where it may be listened on', async (t) => {
  const own: Policy = { ...defaults, listenAddresses: ['127.0.0.0/8'], ports: '5000-40000' };
  const rtp = { from: 16_384, to: 32_767 };
  t.equal(listenRefusal(own, '127.0.0.9', [{ from: 5060, to: 5061 }, rtp]), null);
  t.match(listenRefusal(own, '10.0.0.1', [rtp]), /listening on 10.0.0.1/);
  t.match(listenRefusal(own, '127.0.0.1', [{ from: 0, to: 0 }]), /not any free port/);
  t.match(listenRefusal(own, '127.0.0.1', [{ from: 30_000, to: 50_000 }]), /5000-40000, not 30000-50000/);
  t.equal(listenRefusal(defaults, '192.0.2.1', [{ from: 0, to: 0 }]), null, 'no rule, no refusal');
});
