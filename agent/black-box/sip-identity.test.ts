/**
 * Allocations whose endpoints have their own names, credentials and values, as SIPp sees their calls: from the wire format to
 * what the far end receives.
 */
import { hash } from 'node:crypto';
import { wire } from '@carillon/proto';
import t from 'tap';
import { startSipp } from '../../scripts/peers/sip/sipp.ts';
import { readPolicy } from '../policy/policy.ts';
import { abilitiesOf } from '../rtp/abilities.ts';
import { identityOf } from '../run/endpoint/account/identity.ts';
import { decodeAllocation } from '../run/order/decode-allocation.ts';
import type { SharePlan } from '../run/plan.ts';
import type { Traffic } from '../sip/engine.ts';
import { call, closeSides, type EngineSide, isOver, side, turnUntil } from '../testing/sip/sides.ts';

const CALLERS = 1000;
/**
 * The number of calls that begin before others end. SIPp loses messages for which its socket has no space: an ACK and a BYE of
 * each call at the same time. Its scenario does not expect a retransmitted BYE that overtakes the ACK.
 */
const AT_ONCE = 20;
const ROOM = ['-buff_size', '1048576'];

/** Not a number that a host owner could take for an emergency number. */
const calleeOf = (i: number): string => `7${String(i).padStart(4, '0')}`;

t.teardown(closeSides);

async function sharePlan(uri: string, group: object, endpoints: object, size: number): Promise<SharePlan> {
  const each = <T>(value: T) => Array.from({ length: size }, () => value);
  const { Allocation, Role } = wire.agent.v1;
  const allocation = Allocation.decode(
    Allocation.encode({
      role: Role.CALLER,
      callDurationMs: 1000,
      group: { audioCodecs: ['PCMU'], withoutMedia: true, nextHop: uri.replace('sip:callee@', ''), ...group },
      endpoints: {
        number: each(0).map((_, i) => i),
        listener: each(0),
        registerAtMs: each(0),
        callAtMs: each(0).map((_, i) => i * 100),
        user: each('').map((_, i) => `e${i}`),
        accountUser: each('row'),
        accountPassword: each(''),
        targetUri: each(uri),
        ...endpoints,
      },
    }).finish(),
  );
  const room = { room: size, streamRoom: size, carried: [], abilities: abilitiesOf({ fingerprint: null }) };
  const limits = { policy: await readPolicy(null), mayReach: () => true, ...room };
  return (await decodeAllocation(allocation, 1, 1, limits)).get(0) as SharePlan;
}

const ANYBODY = { isAnybody: true, takesFrom: () => true };
const ownOf = (on: EngineSide) => ({
  traffic: { onMessage: ({ text: _text, ...seen }: Traffic) => on.traffic.push(seen) },
  owner: { onIncomingCall: () => null },
  ...{ over: null, correlation: '' },
});

/** What SIPp logged of the calls of all endpoints, each called and hung up. */
async function calledBy(file: string, planOf: (uri: string) => Promise<SharePlan>) {
  const sipp = await startSipp({ address: '127.0.0.1', scenario: { file }, args: ['-trace_logs', ...ROOM] });
  const plan = await planOf(sipp.uri);
  const our = await side();
  const open = new Set<ReturnType<typeof call>>();
  const all: ReturnType<typeof call>[] = [];
  for (const endpoint of plan.endpoints) {
    const agent = our.engine.createUserAgent(identityOf(plan, endpoint, our.engine.local, ANYBODY, ownOf(our)));
    const log = call(agent, endpoint.targetUri);
    open.add(log);
    all.push(log);
    const hasRoom = (): boolean => {
      for (const one of open) if (isOver(one)) open.delete(one);
      return open.size < AT_ONCE;
    };
    await turnUntil(hasRoom, [our]);
  }
  // A call ends for its caller when it sends BYE: a BYE that SIPp did not read is retransmitted.
  const hungUp = (): number => all.filter(({ events }) => events.at(-1) === 'ended LOCAL').length;
  const answered = ({ direction, method, status, retransmission }: (typeof our.traffic)[number]): boolean =>
    direction === 'RECEIVED' && method === 'BYE' && status >= 200 && !retransmission;
  const isDone = (): boolean => all.every(isOver) && our.traffic.filter(answered).length >= hungUp();
  await turnUntil(isDone, [our]);
  const lines = (await sipp.logs()).map((line) => line.split('|').map((one) => one.trim()));
  await sipp.end();
  return { lines, ends: all.map((log) => log.events.at(-1)) };
}

t.test('1,000 callers, each with a number, a name, header fields and a URI of its own', async (t) => {
  const each = (value: (i: number) => string) => Array.from({ length: CALLERS }, (_, i) => value(i));
  let uri = '';
  const { lines } = await calledBy('named-caller.xml', (sipp) => {
    uri = sipp;
    const group = {
      domain: 'home.example',
      displayName: '{{displayName}}',
      callerNumber: '{{number}}',
      headers: [
        { method: 'INVITE', name: 'P-Asserted-Identity', value: '<tel:{{number}}>' },
        { method: 'INVITE', name: 'Privacy', value: 'id;critical' },
        { method: 'INVITE', name: 'Diversion', value: '<tel:+4989{{row}}>;reason=no-answer;counter=2' },
        { method: 'INVITE', name: 'X-Row', value: 'row {{row}}' },
        { method: 'BYE', name: 'X-Row', value: 'over {{row}}' },
      ],
    };
    const columns = [
      { name: 'number', value: each((i) => `+4930${i}`) },
      { name: 'displayName', value: each((i) => `Zoë ${i}`) },
      { name: 'row', value: each(String) },
    ];
    return sharePlan(sipp, group, { columns, targetUri: each((i) => sipp.replace('callee', calleeOf(i))) }, CALLERS);
  });
  const invites = new Map(
    lines.filter(([what]) => what === 'INVITE').map(([, target = '', ...rest]) => [target, rest]),
  );
  t.equal(invites.size, CALLERS);
  const strange = each(String).filter((row) => {
    const [from = '', ...rest] = invites.get(uri.replace('callee', calleeOf(Number(row)))) ?? [];
    const said = [`<tel:+4930${row}>`, 'id;critical', `<tel:+4989${row}>;reason=no-answer;counter=2`, `row ${row}`];
    return !from.startsWith(`"Zoë ${row}" <sip:+4930${row}@home.example>;tag=`) || rest.join() !== said.join();
  });
  t.same(strange, [], 'each is who it is');
  const byes = lines.flatMap(([what, row]) => (what === 'BYE' ? [row] : []));
  t.same(byes.sort(), each((i) => `over ${i}`).sort(), 'BYE has its own');
});

t.test('a trunk’s challenges: auth name with password and with HA1, wrong ones, none', async (t) => {
  const ha1 = hash('md5', 'trunk-auth:trunk.example:secret', 'hex');
  const accounts = [
    ['trunk-auth', 'secret', ''],
    ['trunk-auth', '', ha1],
    ['trunk-auth', 'wrong', ''],
    ['', 'secret', ''],
    ['trunk-auth', '', ''],
  ];
  const column = (i: number) => accounts.map((account) => account[i] ?? '');
  const { lines, ends } = await calledBy('digest-trunk.xml', (sipp) => {
    const endpoints = { accountAuthName: column(0), accountPassword: column(1), accountHa1: column(2) };
    return sharePlan(sipp, { domain: 'home.example' }, endpoints, accounts.length);
  });
  t.same(ends, ['ended LOCAL', 'ended LOCAL', 'failed STATUS 403', 'failed STATUS 403', 'failed STATUS 401']);
  t.same(
    lines.map(([, , name]) => name),
    ['username="trunk-auth"', 'username="trunk-auth"', 'username="trunk-auth"', 'username="row"'],
  );
  for (const [, from] of lines) t.match(from, /^<sip:row@home\.example>/);
});
