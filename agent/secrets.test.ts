/** Passwords, keys and tokens in the agent are printed nowhere, and arrive unchanged where they are used. */
import { inspect } from 'node:util';
import { wire } from '@carillon/proto';
import { Secret } from '@carillon/proto/base/secret.ts';
import t, { type Test } from 'tap';
import { readConfig } from './config.ts';
import { createIdentity } from './net/text/self-signed.ts';
import { reachPredicate } from './policy/judge.ts';
import { readPolicy } from './policy/policy.ts';
import { abilitiesOf } from './rtp/abilities.ts';
import { decodeAllocation } from './run/order/decode-allocation.ts';
import type { SharePlan } from './run/plan.ts';
import { openedData, openedMessage, sealedData, sealedMessage } from './run/threads/crossing.ts';
import type { SignallingThreadData, ToSignalling } from './run/threads/thread-messages.ts';

const HA1 = '939e7578ed9e3c518a452acee763bce9';
const SECRETS = ['join-token-7', 'drachtio-secret-7', 'hep-password-7', 'sip-password-7', 'private-key-7', HA1];

const printed = (value: unknown): string =>
  [inspect(value, { depth: null, showHidden: true }), JSON.stringify(value), String(value)].join('\n');
const masked = (t: Test, value: unknown, what: string): void => {
  for (const secret of SECRETS) t.notMatch(printed(value), secret, `${what}: ${secret}`);
};

const config = readConfig({
  CARILLON_JOIN_TOKEN: 'join-token-7',
  CARILLON_SIP_ENGINE: 'drachtio',
  CARILLON_DRACHTIO_SECRET: 'drachtio-secret-7',
  CARILLON_HEP: 'udp:127.0.0.1:9060',
  CARILLON_HEP_PASSWORD: 'hep-password-7',
});

async function share(): Promise<SharePlan> {
  const { Allocation, Role } = wire.agent.v1;
  const bytes = Allocation.encode({
    role: Role.CALLER,
    callDurationMs: 5000,
    group: { audioCodecs: ['PCMU'], tls: { verify: 'SKIP', certificate: 'a certificate', key: 'private-key-7' } },
    endpoints: {
      number: [0, 1],
      listener: [0, 0],
      registerAtMs: [0, 0],
      callAtMs: [0, 100],
      user: ['e0', 'e1'],
      accountUser: ['1001', '1002'],
      accountPassword: ['sip-password-7', ''],
      accountAuthName: ['', 'auth-1002'],
      accountHa1: ['', HA1],
      columns: [{ name: 'pin', value: ['1', '2'] }],
      targetUri: ['sip:9@127.0.0.1:5070', 'sip:9@127.0.0.1:5070'],
    },
  }).finish();
  const policy = await readPolicy(null);
  const room = { room: 10, streamRoom: 10, carried: [], abilities: abilitiesOf({ fingerprint: null }) };
  const shares = await decodeAllocation(Allocation.decode(bytes), 1, 1, {
    policy,
    mayReach: reachPredicate(policy),
    ...room,
  });
  return shares.get(0) as SharePlan;
}

t.test('secrets of the configuration are masked', async (t) => {
  masked(t, config, 'the configuration');
  t.equal(config.joinToken?.reveal(), 'join-token-7');
  t.equal(config.drachtio?.secret.reveal(), 'drachtio-secret-7');
  t.equal(config.hep?.password?.reveal(), 'hep-password-7');
  t.equal(readConfig({}).joinToken, null);
});

t.test('an allocation, and the same in the thread that carries it', async (t) => {
  const order: ToSignalling = { op: 'allocate', plan: await share() };
  masked(t, order, 'an allocation');
  const crossed = sealedMessage(structuredClone(openedMessage(order)));
  masked(t, crossed, 'a crossed allocation');
  const { group, endpoints } = (crossed as typeof order).plan;
  t.equal(group.tls?.key?.reveal(), 'private-key-7');
  t.equal(endpoints[0]?.account?.credentials?.password.reveal(), 'sip-password-7');
  t.match(endpoints[1]?.account, { username: '1002', credentials: { username: 'auth-1002' } });
  t.equal(endpoints[1]?.account?.credentials?.ha1?.reveal(), HA1);
  t.same(endpoints[1]?.values, { pin: '2' });

  t.same(Object.keys(endpoints[0] ?? {}).sort(), Object.keys(order.plan.endpoints[0] ?? {}).sort());
  t.same(openedMessage(crossed), openedMessage(order), 'nothing is lost on the way');
  t.same(openedMessage({ op: 'finish', owner: 1 }), { op: 'finish', owner: 1 });
});

t.test('what a signalling thread begins with', async (t) => {
  const tls = { port: 0, certificate: 'a certificate', key: new Secret('private-key-7') };
  const data = { address: '127.0.0.1', tls, drachtio: config.drachtio } as SignallingThreadData;
  masked(t, data, 'the data of a thread');
  const crossed = sealedData(structuredClone(openedData(data)));
  masked(t, crossed, 'the crossed data of a thread');
  t.equal(crossed.tls.key?.reveal(), 'private-key-7');
  t.equal(crossed.drachtio?.secret.reveal(), 'drachtio-secret-7');
  t.same(sealedData(openedData({ ...data, tls: { port: 0 }, drachtio: null })).tls, { port: 0 });
});

t.test('the certificate that the agent makes for itself', async (t) => {
  const identity = createIdentity('127.0.0.1');
  t.notMatch(printed(identity), 'PRIVATE KEY');
  t.match(identity.key.reveal(), 'PRIVATE KEY');
});
