/**
 * The drachtio engine against the messages of a real drachtio-server: recordings under agent/testing/drachtio/, played by a
 * server of the test. With DRACHTIO_URL and RECORD=1 in the environment they are recorded again, from calls with our own core
 * through a Kamailio.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { passwordOf, startKamailio } from '../../../../scripts/peers/sip/kamailio.ts';
import { nowMs } from '../../../clock.ts';
import { openPlayer, openRecorder, type SessionRecording } from '../../../testing/drachtio/recording.ts';
import { CallLog, RegistrationLog, SDP } from '../../../testing/sip/virtual.ts';
import { withOwner } from '../../../testing/sip/with-owner.ts';
import { createCoreEngine } from '../../core/engine.ts';
import type { Call, IncomingCall, SipEngine, UserAgent } from '../../engine.ts';
import { createDrachtioEngine } from './engine.ts';

const OURS = SDP('sendrecv', '127.0.0.1');
const HOLD = SDP('sendonly', '127.0.0.1');

/** One end: how it handles incoming calls, and all events that it gets. */
type Side = {
  readonly agent: UserAgent;
  readonly events: string[];
  readonly peer: string;
  onCall: (call: IncomingCall) => void;
};
type Until = (what: string, condition: () => boolean) => Promise<unknown>;
type Play = {
  readonly name: string;
  /** Of a call that arrives at the end under test, from its registration on. */
  readonly takes?: (call: IncomingCall) => void;
  readonly near: (side: Side, until: Until) => Promise<void>;
  /** Only during recording. */
  readonly far: (side: Side, until: Until) => Promise<void>;
};

class Log extends CallLog {
  override readonly events: string[];
  constructor(side: Side) {
    super();
    this.events = side.events;
  }
}
const logged =
  (side: Side, event: string, times = 1) =>
  (): boolean =>
    side.events.filter((one) => one === event).length >= times;
const invite = (side: Side): Call => side.agent.invite(side.peer, OURS, new Log(side));

/** Everything that a caller may do: hold, send requests, hang up. */
const callThrough = async (side: Side, until: Until): Promise<void> => {
  const call = invite(side);
  await until('answered', logged(side, 'answered 200'));
  call.changeSession(HOLD, 'INVITE');
  await until('held', logged(side, 'changed by LOCAL'));
  call.sendInfo('application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n');
  await until('heard', logged(side, 'info 200'));
  call.hangUp();
  await until('over', logged(side, 'ended LOCAL'));
};
const accept = (call: IncomingCall): void => {
  call.ring();
  call.answer(OURS);
};

const PLAYS: readonly Play[] = [
  {
    name: 'as-caller',
    near: callThrough,
    far: async (side, until) => {
      side.onCall = accept;
      await until('over', logged(side, 'ended REMOTE'));
    },
  },
  {
    name: 'as-callee',
    takes: accept,
    near: async (side, until) => {
      await until('over', logged(side, 'ended REMOTE'));
    },
    far: callThrough,
  },
  {
    name: 'refused-and-cancelled',
    takes: (call) => call.reject(603, 'Decline'),
    near: async (side, until) => {
      invite(side);
      await until('refused', logged(side, 'failed STATUS 486'));
      const second = invite(side);
      await until('rings', logged(side, 'provisional 180'));
      second.hangUp();
      await until('cancelled', logged(side, 'failed CANCELLED 487'));
      await until('declined', logged(side, 'failed STATUS 603'));
    },
    far: async (side, until) => {
      const come: IncomingCall[] = [];
      side.onCall = (call) => {
        if (come.push(call) === 1) call.reject(486, 'Busy Here');
        else call.ring();
      };
      await until('cancelled', () => come.length === 2 && side.events.some((event) => event.startsWith('failed CANC')));
      invite(side);
      await until('declined', logged(side, 'failed STATUS 603'));
    },
  },
];

function turning(engines: readonly SipEngine[]): Until {
  const turn = (): void => {
    for (const engine of engines) engine.turn(nowMs());
  };
  return (what, condition) => until(what, condition, { everyMs: 1, turn });
}

const away = (call: IncomingCall): void => call.reject(480, 'Temporarily Unavailable');

async function sideOf(
  engine: SipEngine,
  until: Until,
  { address, port }: SessionRecording['proxy'],
  [user, peer]: readonly [string, string],
  takes: (call: IncomingCall) => void = away,
) {
  const side: Side = {
    events: [],
    peer: `sip:${peer}@${address}`,
    onCall: takes,
    agent: engine.createUserAgent(
      withOwner({
        aor: `sip:${user}@${address}`,
        contactUser: `c-${user}`,
        credentials: { username: user, password: new Secret(passwordOf(user)) },
        registrarUri: `sip:${address}`,
        nextHop: [{ transport: 'UDP', address, port }],
        routeSet: [],
        traffic: { onMessage: () => undefined },
        onIncomingCall: (call) => {
          const log = new Log(side);
          side.onCall(call);
          return log;
        },
      }),
    ),
  };
  const log = new RegistrationLog();
  side.agent.register(600, log);
  await until(`${user} is registered`, () => log.events.length > 1);
  side.events.push(...log.events);
  return side;
}

const fileOf = (name: string): URL => new URL(`../../../testing/drachtio/${name}.json`, import.meta.url);
const drachtioAt = (port: number, secret: string) =>
  createDrachtioEngine({
    address: '127.0.0.1',
    userAgentName: 'carillon-test',
    mayReach: () => true,
    onUnclaimedCall: () => null,
    server: { host: '127.0.0.1', port, secret: new Secret(secret) },
  });

async function record(url: URL, { name, takes, near, far }: Play): Promise<void> {
  const net = ownLoopback();
  const proxy = await startKamailio(net.address(71), 'registrar', { sharedMiB: 4 });
  const recorder = await openRecorder(url.hostname, Number(url.port || 9022));
  const engine = await drachtioAt(recorder.port, decodeURIComponent(url.password));
  const address = net.address(73);
  const options = { address, port: 0, adapter: 'auto', userAgentName: 'carillon-test', mayReach: () => true } as const;
  const core = await createCoreEngine({ ...options, onUnclaimedCall: () => null });
  const until = turning([engine, core]);
  const other = await sideOf(core, until, proxy, ['u1', 'u0']);
  const side = await sideOf(engine, until, proxy, ['u0', 'u1'], takes);
  await Promise.all([near(side, until), far(other, until)]);
  const said = [...recorder.said];
  const version = said.map(([, text]) => /\|(v\d[\w.-]*)\|/.exec(text)?.[1]).find((one) => one !== undefined) ?? '';
  const recording: SessionRecording = {
    version,
    proxy: { address: proxy.address, port: proxy.port },
    said,
    events: side.events,
  };
  writeFileSync(fileOf(name), `${JSON.stringify(recording, null, 1)}\n`);
  for (const one of [engine, core, recorder]) one.close();
  await proxy.stop();
}

const url = process.env['DRACHTIO_URL'];
if (url !== undefined && process.env['RECORD'] === '1') for (const play of PLAYS) await record(new URL(url), play);

for (const { name, takes, near } of PLAYS) {
  t.test(`as a real server did: ${name}`, async (t) => {
    const recording = JSON.parse(readFileSync(fileOf(name), 'utf8')) as SessionRecording;
    const player = await openPlayer(recording);
    const engine = await drachtioAt(player.port, 'another-secret');
    // A failed playback must leave nothing that keeps the process running.
    t.teardown(() => {
      engine.close();
      player.close();
    });
    const until = turning([engine]);
    const side = await sideOf(engine, until, recording.proxy, ['u0', 'u1'], takes);
    await near(side, until);
    await until('all is said', () => player.isOver);
    t.same(player.differences, [], 'the agent says what it said to the server');
    // Of two calls, either may be told of first.
    t.same([...side.events].sort(), [...recording.events].sort(), 'and tells the same of it');
    t.match(recording.version, /^v\d/);
    t.same(engine.counters.internalErrors, 0);
  });
}
