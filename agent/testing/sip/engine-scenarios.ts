/**
 * What every engine has to do, in the terms of the port. `near` is the engine under test, `far` our own core, with a Kamailio
 * between them.
 */
import { parseSdp } from '@carillon/media/sdp/parse.ts';
import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { SipAbility } from '../../sip/abilities.ts';
import type {
  Call,
  IncomingCall,
  PingEvents,
  SignallingOptions,
  SipEngine,
  SipFailure,
  UserAgent,
  UserAgentOptions,
} from '../../sip/engine.ts';
import { quoted } from '../../sip/message/wire-text.ts';
import { isOver, withoutRepeats } from './sides.ts';
import { CallLog, headerOf, SDP, tagOf } from './virtual.ts';

/** One end of the calls of a scenario. */
export type End = {
  readonly engine: SipEngine;
  readonly agent: UserAgent;
  readonly uri: string;
  /** First lines of its messages, `> INVITE …` for sent ones, `< SIP/2.0 …` for received ones. */
  readonly wire: string[];
  /** The complete messages. */
  readonly texts: string[];
  onCall: (call: IncomingCall) => CallLog | null;
  isBusy: boolean;
};

export type ScenarioStage = {
  /** Another pair of ends, with other signalling; registered. */
  readonly ends: (
    signalling?: Partial<SignallingOptions>,
    own?: Pick<UserAgentOptions, 'from' | 'headers'>,
  ) => Promise<{ near: End; far: End }>;
  /** Turns the engines until the condition holds; throws if it never does. */
  readonly until: (what: string, condition: () => boolean) => Promise<unknown>;
  readonly same: (found: unknown, wanted: unknown, what: string) => void;
  readonly ok: (found: unknown, what: string) => void;
};

export type EngineScenario = {
  readonly what: string;
  readonly needs: readonly SipAbility[];
  readonly run: (stage: ScenarioStage) => Promise<void>;
};

/** Texts that ends show, with two-byte characters and an escape. */
export const SHOWN_NAME = 'Olé "Q"';

export const OURS = SDP('sendrecv', '127.0.0.1');
const THEIRS = SDP('sendrecv', '127.0.0.2');
const HOLD = OURS.replace('sendrecv', 'sendonly');

/** The callee keeps the call for the test. */
type Taken = { call: IncomingCall | null; log: CallLog };

const taken = (end: End, act: (call: IncomingCall) => void): Taken => {
  const taken: Taken = { call: null, log: new CallLog() };
  end.onCall = (call) => {
    taken.call = call;
    act(call);
    return taken.log;
  };
  return taken;
};
const answers = (call: IncomingCall): void => {
  call.ring();
  call.answer(THEIRS);
};
const has = (log: CallLog, event: string) => (): boolean => log.events.includes(event);
/** Proxies may add 100 and 180. */
const steps = ({ events }: CallLog): string[] => events.filter((event) => event !== 'provisional 100');

const WORDS = ['sent', 'provisional 180', 'answered 200'];

/** An established call: the caller's, and the call at the other end. */
async function standing(
  { until }: ScenarioStage,
  from: End,
  to: End,
): Promise<{ call: Call; log: CallLog; other: Taken }> {
  const other = taken(to, answers);
  const log = new CallLog();
  const call = from.agent.invite(to.uri, OURS, log);
  await until('the call is answered', () => has(log, 'answered 200')() && has(other.log, 'answered 200')());
  return { call, log, other };
}

async function hungUp({ until, same }: ScenarioStage, call: Call, log: CallLog, other: CallLog): Promise<void> {
  call.hangUp();
  await until('both ends are over', () => isOver(log) && isOver(other));
  same([log.events.at(-1), other.events.at(-1)], ['ended LOCAL', 'ended REMOTE'], 'hung up by one, seen by the other');
}

/** The same with either end as the caller. */
const bothWays = (
  what: string,
  needs: readonly SipAbility[],
  run: (stage: ScenarioStage, from: End, to: End) => Promise<void>,
  signalling?: Partial<SignallingOptions>,
): EngineScenario[] => [
  {
    what: `${what}, as caller`,
    needs,
    run: async (stage) => {
      const { near, far } = await stage.ends(signalling);
      await run(stage, near, far);
    },
  },
  {
    what: `${what}, as callee`,
    needs,
    run: async (stage) => {
      const { near, far } = await stage.ends(signalling);
      await run(stage, far, near);
    },
  },
];

export const SCENARIOS: readonly EngineScenario[] = [
  ...bothWays('a call', [], async (stage, from, to) => {
    const { call, log, other } = await standing(stage, from, to);
    await hungUp(stage, call, log, other.log);
    const wanted = [...WORDS, 'ended LOCAL'];
    stage.same(withoutRepeats(steps(log), wanted), wanted, 'the caller is told all of it');
    stage.same(steps(other.log), ['answered 200', 'ended REMOTE'], 'and the callee');
    stage.same(log.body, THEIRS, 'with the description of the other');
    stage.same(
      log.atMs.every((at, i) => i === 0 || at >= (log.atMs[i - 1] as number)),
      true,
      'at instants in order',
    );
    for (const start of ['> INVITE', '< SIP/2.0 180', '< SIP/2.0 200', '> ACK', '> BYE'])
      stage.ok(
        from.wire.some((line) => line.startsWith(start)),
        `${start} was shown`,
      );
  }),
  ...bothWays('the callee hangs up', [], async (stage, from, to) => {
    const { log, other } = await standing(stage, from, to);
    await hungUp(stage, other.call as Call, other.log, log);
  }),
  ...bothWays('refused with 486', ['ANSWERING'], async (stage, from, to) => {
    const other = taken(to, (call) => call.reject(486, 'Busy Here'));
    const log = new CallLog();
    from.agent.invite(to.uri, OURS, log);
    await stage.until('refused', () => isOver(log) && isOver(other.log));
    stage.same([steps(log), other.log.events], [['sent', 'failed STATUS 486'], ['failed STATUS 486']], 'both know why');
  }),
  ...bothWays('given up while it rings', [], async (stage, from, to) => {
    const other = taken(to, (call) => call.ring());
    const log = new CallLog();
    const call = from.agent.invite(to.uri, OURS, log);
    await stage.until('it rings', has(log, 'provisional 180'));
    call.hangUp();
    await stage.until('both ends are over', () => isOver(log) && isOver(other.log));
    stage.same(
      [log.events.at(-1), other.log.events.at(-1)],
      ['failed CANCELLED 487', 'failed CANCELLED 487'],
      'CANCEL, 200, 487',
    );
  }),
  ...bothWays('given up before anything came', [], async (stage, from, to) => {
    const other = taken(to, (call) => call.ring());
    const log = new CallLog();
    from.agent.invite(to.uri, OURS, log).hangUp();
    await stage.until('over', () => isOver(log));
    // A repeated challenge is not answered.
    stage.ok(/^failed (CANCELLED|STATUS 407)/.test(log.events.at(-1) ?? ''), `${log.events.at(-1)}`);
    await stage.until('over at the other end, too, or never begun', () => other.call === null || isOver(other.log));
  }),
  {
    what: 'nobody is there: 404',
    needs: [],
    run: async (stage) => {
      const { near, far } = await stage.ends();
      const log = new CallLog();
      near.agent.invite(far.uri.replace('sip:', 'sip:nobody-'), OURS, log);
      await stage.until('refused', () => isOver(log));
      stage.same([log.events.at(-1), log.failures[0]?.kind], ['failed STATUS 404', 'STATUS'], 'as the server says');
    },
  },
  ...bothWays('media before the answer', ['EARLY_MEDIA'], async (stage, from, to) => {
    const early: string[] = [];
    const other = taken(to, (call) => call.progress(183, THEIRS));
    const log = new CallLog();
    Object.assign(log, { onEarlyMedia: (_local: string, remote: string) => early.push(remote) });
    const call = from.agent.invite(to.uri, OURS, log);
    await stage.until('183', () => early.length > 0);
    stage.same(early, [THEIRS], "the peer's description");
    other.call?.answer(THEIRS);
    await stage.until('the call is answered', () => has(log, 'answered 200')() && has(other.log, 'answered 200')());
    await hungUp(stage, call, log, other.log);
  }),
  ...bothWays('hold and resume, asked for by the caller', ['RE_INVITE'], async (stage, from, to) => {
    const { call, log, other } = await standing(stage, from, to);
    const heard: string[] = [];
    const told = other.log.onSessionChanged.bind(other.log);
    other.log.onSessionChanged = (local, remote, ...rest) => {
      heard.push(/a=(\w+)/.exec(remote)?.[1] ?? '');
      told(local, remote, ...rest);
    };
    call.changeSession(HOLD, 'INVITE');
    await stage.until('held', () => has(log, 'changed by LOCAL')() && heard.length === 1);
    // A request that overtakes the ACK before it may be refused, and is sent again (RFC 3261, 14.2).
    const refusals = () => log.events.filter((event) => /^refused (?:491|500)/.test(event)).length;
    let known = refusals();
    call.changeSession(OURS, 'INVITE');
    await stage.until('resumed', () => {
      if (refusals() > known) {
        known = refusals();
        call.changeSession(OURS, 'INVITE');
      }
      return heard.length === 2;
    });
    stage.same(heard, ['sendonly', 'sendrecv'], 'what the other end is told');
    stage.same([...new Set(other.log.askers)], ['PEER'], 'and by whom');
    await stage.until('taken', () => log.askers.length === 2);
    await hungUp(stage, call, log, other.log);
  }),
  ...bothWays('a change that the callee refuses', ['RE_INVITE'], async (stage, from, to) => {
    const { call, log, other } = await standing(stage, from, to);
    const fault = parseSdp('no SDP');
    other.log.onSessionOffer = () => fault as SdpFault;
    call.changeSession(HOLD, 'INVITE');
    await stage.until('refused', has(log, 'refused 488'));
    await hungUp(stage, call, log, other.log);
  }),
  ...bothWays('INFO, each to the other', ['INFO'], async (stage, from, to) => {
    const { call, log, other } = await standing(stage, from, to);
    call.sendInfo('application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n');
    call.sendInfo('application/dtmf', '7');
    other.call?.sendInfo('application/dtmf', '#');
    await stage.until(
      'answered',
      () => [...log.events, ...other.log.events].filter((e) => e === 'info 200').length === 3,
    );
    stage.ok(other.log.events.includes('info application/dtmf-relay Signal=5\r\nDuration=160\r\n'), 'with its body');
    stage.ok(
      other.log.events.includes('info application/dtmf 7') && log.events.includes('info application/dtmf #'),
      'all',
    );
    await hungUp(stage, call, log, other.log);
  }),
  ...bothWays('REFER: taken, told of, done', ['REFER'], async (stage, from, to) => {
    const { call, log, other } = await standing(stage, from, to);
    const wanted: string[] = [];
    other.log.onRefer = (uri) => wanted.push(uri) > 0;
    call.refer('sip:third@carillon.test');
    await stage.until('asked', () => wanted.length > 0 && log.events.some((event) => event.startsWith('refer 100')));
    other.call?.notifyRefer(180, 'Ringing');
    await stage.until('told of', () => log.events.some((event) => event.startsWith('refer 180')));
    other.call?.notifyRefer(200, 'OK');
    await stage.until('done', has(log, 'refer 200 OK final'));
    stage.same(wanted, ['sip:third@carillon.test'], 'the referred target');
    await hungUp(stage, call, log, other.log);
  }),
  ...bothWays('REFER: declined', ['REFER'], async (stage, from, to) => {
    const { call, log, other } = await standing(stage, from, to);
    other.log.onRefer = () => false;
    call.refer('sip:third@carillon.test');
    await stage.until('declined', () => log.events.some((event) => /^refer 603 .*final$/.test(event)));
    await hungUp(stage, call, log, other.log);
  }),
  {
    what: 'a Refer-To that carries Replaces (RFC 3891, 4): the call that it names gives way',
    needs: ['REFER'],
    run: async (stage) => {
      const { near, far } = await stage.ends();
      const first = await standing(stage, far, near);
      const ok =
        far.texts.find((text) => text.startsWith('SIP/2.0 200') && /INVITE$/.test(headerOf(text, 'CSeq'))) ?? '';
      const [ours, his] = [tagOf(headerOf(ok, 'From')), tagOf(headerOf(ok, 'To'))];
      const named = `${headerOf(ok, 'Call-ID')};to-tag=${ours};from-tag=${his}`;
      const wanted: string[] = [];
      first.other.log.onRefer = (uri) => wanted.push(uri) > 0;
      first.call.refer(`${far.uri}?Replaces=${encodeURIComponent(named)}&Require=replaces`);
      await stage.until('asked', () => wanted.length > 0);
      const place: { call: IncomingCall | null; log: CallLog } = taken(far, answers);
      const log = new CallLog();
      const call = near.agent.invite(wanted[0] ?? '', OURS, log);
      await stage.until('the second call stands', () => has(log, 'answered 200')() && has(place.log, 'answered 200')());
      stage.same(place.call?.replaces === first.call, true, 'in the place of the first');
      await stage.until('the first is over', () => isOver(first.log) && isOver(first.other.log));
      stage.same(first.other.log.events.at(-1), 'ended REMOTE', 'hung up by whom it was replaced at');
      await hungUp(stage, call, log, place.log);
    },
  },
  ...bothWays('the callee offers', ['DELAYED_OFFER'], async (stage, from, to) => {
    const other = taken(to, answers);
    const log = new CallLog();
    const offers: string[] = [];
    Object.assign(log, { onDelayedOffer: (offer: string) => (offers.push(offer) > 0 ? OURS : '') });
    const call = from.agent.invite(to.uri, '', log);
    await stage.until('answered', () => has(log, 'answered 200')() && has(other.log, 'answered 200')());
    stage.same([offers, other.log.body], [[THEIRS], OURS], "the peer's offer in the 2xx, our answer in the ACK");
    await hungUp(stage, call, log, other.log);
  }),
  {
    what: 'a redirect is followed',
    needs: ['REDIRECT'],
    run: async (stage) => {
      const { near, far } = await stage.ends({ maxRedirects: 2 });
      const second = await stage.ends();
      taken(far, (call) => call.redirect(302, [second.far.uri]));
      const other = taken(second.far, answers);
      const log = new CallLog();
      const call = near.agent.invite(far.uri, OURS, log);
      await stage.until('answered', has(log, 'answered 200'));
      await hungUp(stage, call, log, other.log);
    },
  },
  ...bothWays('UPDATE', ['UPDATE'], async (stage, from, to) => {
    const { call, log, other } = await standing(stage, from, to);
    call.changeSession(HOLD, 'UPDATE');
    await stage.until('changed', () => has(log, 'changed by LOCAL')() && has(other.log, 'changed by REMOTE')());
    await hungUp(stage, call, log, other.log);
  }),
  ...bothWays(
    'reliable provisional responses',
    ['PRACK'],
    async (stage, from, to) => {
      const { call, log, other } = await standing(stage, from, to);
      stage.ok(
        from.wire.some((line) => line.startsWith('> PRACK')),
        'PRACK',
      );
      await hungUp(stage, call, log, other.log);
    },
    { reliableProvisional: 'REQUIRED' },
  ),
  ...bothWays(
    'a session timer',
    ['SESSION_TIMER'],
    async (stage, from, to) => {
      const { call, log, other } = await standing(stage, from, to);
      stage.ok(
        from.texts.some((text) => text.startsWith('SIP/2.0 200') && /^Session-Expires: 300;refresher=/m.test(text)),
        'agreed on',
      );
      call.changeSession('', 'UPDATE');
      await stage.until('begun again', () => has(log, 'refreshed LOCAL')() && has(other.log, 'refreshed REMOTE')());
      await hungUp(stage, call, log, other.log);
    },
    { sessionTimer: { expiresSeconds: 300, minSeconds: 90, refresher: null } },
  ),
  {
    what: 'another name than the address of record, and header fields of its own',
    needs: ['IDENTITY'],
    run: async (stage) => {
      const { near, far } = await stage.ends(
        {},
        {
          from: 'sip:+4930@trunk.example',
          headers: (['INVITE', 'REGISTER', 'BYE'] as const).map((method) => ({ method, name: 'X-Own', value: method })),
        },
      );
      const other = taken(far, (call) => call.answer(THEIRS));
      const log = new CallLog();
      const call = near.agent.invite(far.uri, OURS, log);
      await stage.until('answered', () => log.events.some((one) => one.startsWith('answered')));
      call.hangUp();
      await stage.until('over', () => isOver(log) && isOver(other.log));
      const said = (method: string, header: string) =>
        headerOf(near.texts.filter((text) => text.startsWith(`${method} `)).at(-1) ?? '', header);
      for (const method of ['INVITE', 'REGISTER', 'BYE']) stage.same(said(method, 'X-Own'), method, `in ${method}`);
      for (const method of ['INVITE', 'BYE'])
        stage.ok(said(method, 'From').includes('<sip:+4930@trunk.example>;tag='), `From of ${method}`);
      stage.ok(said('REGISTER', 'From').includes(`<${near.uri}>`), 'REGISTER is the address of record’s');
      stage.ok(said('REGISTER', 'To').includes(`<${near.uri}>`), 'in From and To');
      stage.same(other.call?.fromUri, 'sip:+4930@trunk.example', 'the far end sees it');
      const heard = headerOf(far.texts.find((text) => text.startsWith('INVITE ')) ?? '', 'From');
      stage.ok(heard.startsWith(`${quoted(SHOWN_NAME)} <sip:`), `and the name, byte by byte: ${heard}`);
    },
  },
  {
    what: 'OPTIONS outside dialogs',
    needs: ['OPTIONS'],
    run: async (stage) => {
      const { near, far } = await stage.ends();
      const events: string[] = [];
      const heard: PingEvents = {
        onPingSent: () => events.push('sent'),
        onPingAnswered: (status) => events.push(`answered ${status}`),
        onPingFailed: ({ kind }: SipFailure) => events.push(`failed ${kind}`),
      };
      near.agent.ping(far.uri, heard);
      await stage.until('answered', () => events.length === 2);
      stage.same(events, ['sent', 'answered 200'], 'asked and answered');
      far.agent.ping(near.uri, heard);
      await stage.until('asked ourselves', () => events.length === 4);
      near.isBusy = true;
      far.agent.ping(near.uri, heard);
      await stage.until('asked again', () => events.length === 6);
      stage.same(
        [events[3], events[5]],
        ['answered 200', 'answered 486'],
        'as an INVITE would be answered (RFC 3261, 11.2)',
      );
    },
  },
  {
    what: 'what is open when the user agent closes is hung up, and nothing more is told',
    needs: [],
    run: async (stage) => {
      const { near, far } = await stage.ends();
      const { log, other } = await standing(stage, near, far);
      const before = log.events.length;
      near.agent.close();
      await stage.until('the other end is told', () => isOver(other.log));
      stage.same([other.log.events.at(-1), log.events.length], ['ended REMOTE', before], 'BYE, and silence');
    },
  },
];
