/**
 * The caller's identity as the far end sees it: accounts of a trunk that answer challenges, 100 callers with separate
 * numbers, header fields. SIPp logs them.
 */
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t from 'tap';
import { readAccounts } from '../../../control-plane/dashboard/show/sip-accounts/csv.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, type MediaInput, type RegistrarInput } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const CALLERS = 100;
const FEW = 3;
const SILENT: MediaInput = { mediaTracks: [] };

const net = ownLoopback();
const digest = await startSipp({
  address: net.address(140),
  scenario: { file: 'digest-trunk.xml' },
  args: ['-trace_logs'],
});
t.teardown(() => digest.end());
const named = await startSipp({
  address: net.address(141),
  scenario: { file: 'named-caller.xml' },
  args: ['-trace_logs'],
});
t.teardown(() => named.end());

const spare = await startSipp({ address: net.address(144), scenario: { builtIn: 'uas' } });
t.teardown(() => spare.end());
/** A gateway that accepts packets and does not answer. */
const mute = createSocket('udp4').bind(0, net.address(143));
await once(mute, 'listening');
t.teardown(() => void mute.close());

const hostOf = (uri: string): string => uri.replace('sip:callee@', '');
const trunk = (slug: string, uri: string, sipAccounts: NonNullable<RegistrarInput['sipAccounts']>): RegistrarInput => ({
  slug,
  name: slug,
  uri: `sip:${hostOf(uri)}`,
  register: false,
  sipAccounts,
});
const ha1 = createHash('md5').update('trunk-auth:trunk.example:secret').digest('hex');
const numberOf = (i: number): string => `+4930${String(i).padStart(4, '0')}`;
/** Not a number that a host owner could take for an emergency number. */
const calleeOf = (i: number): string => `7${String(i).padStart(4, '0')}`;
/** As a spreadsheet saves them, and read as the form of the dashboard reads a file. */
const csv = [
  'user name;number;display name;callee;row',
  ...Array.from(
    { length: CALLERS },
    (_, i) => `row${String(i).padStart(4, '0')};${numberOf(i)};"Caller ${i}";${calleeOf(i)};r-${i}`,
  ),
].join('\r\n');
const read = readAccounts(csv);
const rows: NonNullable<RegistrarInput['sipAccounts']> = read.accounts.map(({ line, ...account }) => account);
const NAMED: MediaInput = {
  ...SILENT,
  assertedIdentity: 'sip:{{number}}@home.example',
  privacy: ['ID', 'CRITICAL'],
  diversion: { uri: 'tel:+4989{{callee}}', reason: 'NO_ANSWER', counter: 2 },
  headers: [{ methods: ['INVITE', 'BYE'], name: 'X-Row', value: 'row {{row}}' }],
};

const lab = await openLab(t, {
  net,
  agents: 1,
  capacity: 2 * CALLERS,
  provision: () => ({
    registrars: [
      trunk('auth', digest.uri, [{ username: 'trunk', authName: 'trunk-auth', password: 'secret', number: '+49301' }]),
      trunk('ha1', digest.uri, [{ username: 'trunk', authName: 'trunk-auth', ha1 }]),
      trunk('wrong', digest.uri, [{ username: 'trunk', password: 'secret' }]),
      trunk('none', digest.uri, []),
      trunk('rows', named.uri, rows),
      {
        ...trunk('gateways', named.uri, [{ username: 'trunk', number: '+49302' }]),
        uri: `sip:${net.address(142)}:5060`,
        gateways: [hostOf(named.uri)],
        domain: 'home.example',
      },
      {
        ...trunk('mute', spare.uri, [{ username: 'trunk', number: '+49303' }]),
        uri: `sip:${net.address(143)}:${mute.address().port}`,
        gateways: [hostOf(spare.uri)],
      },
    ],
    tests: [
      // The second begins when the first has found that the gateway is silent (timer B, 32 s).
      callsTo('sip:9001@home.example', 'mute', {
        endpoints: 2,
        durationSeconds: 1,
        registrar: 'mute',
        media: SILENT,
        load: { shape: 'RATE', callsPerSecond: 0.025 },
      }),
      ...['auth', 'ha1', 'wrong', 'none'].map((slug) =>
        callsTo(digest.uri, slug, { endpoints: FEW, durationSeconds: 1, registrar: slug, media: SILENT }),
      ),
      callsTo(`sip:{{callee}}@${hostOf(named.uri)}`, 'rows', {
        endpoints: CALLERS,
        buildup: 3,
        durationSeconds: 2,
        registrar: 'rows',
        media: NAMED,
      }),
      callsTo('sip:9000@home.example', 'gateways', {
        endpoints: FEW,
        durationSeconds: 1,
        registrar: 'gateways',
        media: SILENT,
      }),
      callsTo(`sip:{{2100..2102}}@${hostOf(named.uri)}`, 'counted', {
        endpoints: 4,
        durationSeconds: 1,
        registrar: 'rows',
        media: {
          ...SILENT,
          callerNumber: 'anonymous@anonymous.invalid',
          displayName: 'Anonymous',
          assertedIdentity: 'tel:+49{{2100..2102}}',
        },
      }),
    ],
  }),
});

const muteRun = lab.runToEnd('mute');

for (const [slug, from] of [
  ['auth', '+49301'],
  ['ha1', 'trunk'],
] as const)
  t.test(`a trunk that asks for credentials gets them, by ${slug}`, async (t) => {
    const before = (await digest.logs()).length;
    const run = await lab.runToEnd(slug);
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: FEW, successCount: FEW } });
    t.same(run.sipRequests.find((r) => r.method === 'REGISTER')?.sent ?? 0, 0, 'nobody registers');
    const lines = (await digest.logs()).slice(before);
    t.equal(lines.length, FEW, 'each is challenged and known');
    for (const line of lines) {
      t.match(line, `<sip:${from}@${hostOf(digest.uri).split(':')[0]}`, 'From');
      t.match(line, 'username="trunk-auth"');
    }
  });

t.test('credentials that are wrong, and none at all, are told apart', async (t) => {
  const wrong = await lab.runToEnd('wrong');
  t.equal(wrong.callTiming.successCount, 0);
  for (const e of await lab.endpoints(wrong.id)) t.match(e, { callTiming: { finalStatusCode: 403 } });
  const none = await lab.runToEnd('none');
  for (const e of await lab.endpoints(none.id)) {
    t.match(e, { callTiming: { finalStatusCode: 401 } });
    t.match(e.failure?.reason, /the server asks for credentials, but the account has none/);
  }
});

t.test('100 callers, each with its own row', async (t) => {
  t.same([read.faults, read.accounts.length], [[], CALLERS], 'the file is read');
  const run = await lab.runToEnd('rows');
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLERS, successCount: CALLERS } });
  const lines = await named.logs();
  const parts = lines
    .filter((line) => line.startsWith('INVITE|'))
    .map((line) => line.split('|').map((one) => one.trim()));
  const host = hostOf(named.uri);
  const domain = host.split(':')[0] ?? '';
  const seen = new Map(parts.map(([, target = '', ...rest]) => [target, rest]));
  t.equal(seen.size, CALLERS, 'each calls another');
  const strange = rows.flatMap((_, i) => {
    const [from = '', ...rest] = seen.get(`sip:${calleeOf(i)}@${host}`) ?? [];
    const isNamed = from.startsWith(`"Caller ${i}" <sip:${numberOf(i)}@${domain}`);
    const asked = [`<sip:${numberOf(i)}@home.example>`, 'id;critical'];
    const said = [...asked, `<tel:+4989${calleeOf(i)}>;reason=no-answer;counter=2`, `row r-${i}`];
    return isNamed && JSON.stringify(rest) === JSON.stringify(said) ? [] : [{ i, from, rest }];
  });
  t.same(strange, [], 'SIPp heard what the accounts say');
  const byes = lines.filter((line) => line.startsWith('BYE|')).map((line) => line.slice('BYE|'.length).trim());
  t.same(byes.sort(), rows.map((_, i) => `row r-${i}`).sort(), 'BYE, too');
});

t.test('numbers are counted, and a caller may be nobody', async (t) => {
  const before = (await named.logs()).length;
  const run = await lab.runToEnd('counted');
  t.match(run, { status: 'COMPLETED', callTiming: { successCount: 4 } });
  const lines = (await named.logs()).slice(before).filter((line) => line.startsWith('INVITE|'));
  const host = hostOf(named.uri);
  t.same(
    lines.map((line) => line.split('|')[1]).sort(),
    [2100, 2100, 2101, 2102].map((n) => `sip:${n}@${host}`),
  );
  for (const line of lines) {
    t.match(line, '"Anonymous" <sip:anonymous@anonymous.invalid>');
    const [, target, , asserted] = line.split('|').map((one) => one.trim());
    t.equal(asserted, `<tel:+49${target?.slice(4, 8)}>`, 'and has the number that counts');
  }
});

t.test('a gateway that does not answer is followed by the next, and the domain is as it was set', async (t) => {
  const before = (await named.logs()).length;
  const run = await lab.runToEnd('gateways');
  t.match(run, { status: 'COMPLETED', callTiming: { successCount: FEW } });
  const lines = (await named.logs()).slice(before).filter((line) => line.startsWith('INVITE|'));
  t.equal(lines.length, FEW);
  for (const line of lines) {
    const [, target, from] = line.split('|').map((one) => one.trim());
    t.equal(target, 'sip:9000@home.example');
    t.match(from, /^<sip:\+49302@home\.example>/);
  }
});

t.test('a gateway that is silent costs its first call 32 s, and the next none', async (t) => {
  const run = await muteRun;
  t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: 2, successCount: 2 } });
  const took = await lab.query<{ failovers: number }>(
    'select failovers from endpoints where run_id = $1 order by planned_at',
    [run.id],
  );
  t.same(
    took.map(({ failovers }) => failovers),
    [1, 0],
  );
});
