/** Actions and signalling of groups: what is refused, by name and path. */
import t from 'tap';
import type * as z from 'zod';
import { Signalling } from '../../../contract/test-settings/scenario.ts';
import { MAX_ACTIONS } from '../../../contract/test-settings/scenario-words.ts';
import { GroupBody } from '../../../contract/test-settings/test-body.ts';
import { scenarioFaults } from './scenario.ts';

type RawAction = { readonly trigger: object; readonly action: object };

const SECONDS = 10;
const answered = { on: 'ANSWERED', afterSeconds: 1 };
const hold: RawAction = { trigger: answered, action: { do: 'HOLD' } };
const AUDIO = { kind: 'AUDIO' };
const VIDEO = { kind: 'VIDEO', deferred: true };
const activate: RawAction = { trigger: answered, action: { do: 'ACTIVATE_TRACK', track: 1 } };

const body = (more: object): z.output<typeof GroupBody> =>
  GroupBody.parse({
    name: 'callers',
    registrarId: 'r',
    callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@pbx' },
    placement: { mode: 'REGION', region: 'local' },
    subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
    ...more,
  });
const RECEIVE = { callee: { mode: 'RECEIVE' }, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 1 }] };

const faults = (more: object): string[] =>
  scenarioFaults([body(more)], SECONDS).map(({ path, message }) => `${path.slice(2).join('.')}: ${message}`);
const ofActions = (...actions: RawAction[]): string[] => faults({ actions });
const act = (action: object, trigger: object = answered): RawAction => ({ trigger, action });

t.test('what can be done is taken', async (t) => {
  t.same(ofActions(), []);
  const every: RawAction[] = [
    hold,
    act({ do: 'RESUME' }, { on: 'HOLD' }),
    act({ do: 'SEND_DTMF', digits: '1#' }),
    act({ do: 'SEND_DTMF', digits: '12', by: 'INFO' }, { on: 'INFO', afterSeconds: 2 }),
    act({ do: 'REINVITE' }, { on: 'RESUME' }),
    act({ do: 'UPDATE' }, { on: 'REFRESH' }),
    act({ do: 'REFER', target: 'sip:9@127.0.0.1' }, { on: 'DTMF', digits: '42' }),
    act({ do: 'ATTENDED_TRANSFER', target: 'sip:9@127.0.0.1' }, { on: 'DTMF', digits: '43' }),
    act({ do: 'HANG_UP' }, { on: 'DTMF' }),
    activate,
  ];
  t.same(faults({ actions: every, mediaTracks: [AUDIO, VIDEO], videoCodecs: ['VP8'] }), []);
  t.same(faults({ ...RECEIVE, signalling: { ringSeconds: 2, provisional: 183, rejectStatus: 486 } }), []);
  t.same(
    faults({ signalling: { delayedOffer: true, maxRedirects: 3, sessionTimer: {}, reliableProvisional: 'REQUIRED' } }),
    [],
  );
});

t.test('signalling only', async (t) => {
  const silent = (more: object) => faults({ mediaTracks: [], ...more });
  const both = [act({ do: 'REINVITE' }), act({ do: 'UPDATE' })];
  const info = act({ do: 'SEND_DTMF', digits: '1', by: 'INFO' }, { on: 'DTMF' });
  for (const sdp of ['OFFER', 'NONE']) t.same(silent({ sdp, actions: [info] }), [], 'what needs no media is done');
  t.same(silent({ actions: both }), []);
  t.same(silent({ signalling: { delayedOffer: true } }), []);
  const REFUSED: readonly (readonly [object, readonly string[]])[] = [
    [{ sdp: 'NONE', actions: both }, ['actions.0.action.do', 'actions.1.action.do']],
    [{ sdp: 'NONE', signalling: { delayedOffer: true } }, ['signalling.delayedOffer']],
    [{ actions: [hold] }, ['actions.0.action.do']],
    [{ actions: [act({ do: 'HANG_UP' }, { on: 'RESUME' })] }, ['actions.0.trigger.on']],
    [{ actions: [act({ do: 'SEND_DTMF', digits: '1' })] }, ['actions.0.action.by']],
    [{ dtmf: { digits: '1' } }, ['dtmf']],
    [{ impairment: { lossPercent: 1 } }, ['impairment']],
    [{ rtpTrace: {} }, ['rtpTrace']],
  ];
  for (const [more, paths] of REFUSED)
    t.same(
      silent(more).map((fault) => fault.split(':')[0]),
      paths,
      JSON.stringify(more),
    );
  t.match(faults({ sdp: 'NONE' }), [/^sdp: .*mediaTracks: \[\]/], 'media need SDP');
});

t.test('what could never be done is refused by name', async (t) => {
  const keys = act({ do: 'SEND_DTMF', digits: '1' });
  const none = 'telephone events need a track of kind AUDIO that sends from the answer on; INFO does not';
  const table: [string, string[], RegExp | string][] = [
    [
      'keys on a track that listens',
      faults({ actions: [keys], mediaTracks: [{ ...AUDIO, direction: 'RECEIVE' }] }),
      `actions.0.action.by: ${none}`,
    ],
    ['resume without hold', ofActions(act({ do: 'RESUME' })), 'actions.0.action.do: no action of the group holds'],
    [
      'a track that is not deferred',
      ofActions(act({ do: 'ACTIVATE_TRACK', track: 0 })),
      'actions.0.action.track: mediaTracks[0] is not deferred',
    ],
    ['a track that is not', ofActions(activate), 'actions.0.action.track: mediaTracks[1] does not exist'],
    [
      'a track that nothing activates',
      faults({ mediaTracks: [AUDIO, VIDEO] }),
      'mediaTracks.1.deferred: no action activates it',
    ],
    [
      'a track that is activated twice',
      faults({ actions: [activate, activate], mediaTracks: [AUDIO, VIDEO] }),
      /2 actions activate it/,
    ],
    [
      'a target that is none',
      ofActions(act({ do: 'REFER', target: 'sip:9@pbx:0' })),
      /^actions.0.action.target: is not a SIP URI/,
    ],
    [
      'a target to be consulted that is none',
      ofActions(act({ do: 'ATTENDED_TRANSFER', target: 'sip:9@pbx:0' })),
      /^actions.0.action.target: is not a SIP URI/,
    ],
    [
      'a target to be consulted that asks for header fields',
      ofActions(act({ do: 'ATTENDED_TRANSFER', target: 'sip:9@pbx?Subject=x' })),
      /^actions.0.action.target: carries no header fields/,
    ],
    [
      'after the end',
      ofActions(act({ do: 'HOLD' }, { on: 'ANSWERED', afterSeconds: SECONDS })),
      /^actions.0.trigger.afterSeconds: 10 s exceed the call, which lasts 10 s$/,
    ],
    [
      'keys that reach beyond the end',
      ofActions(act({ do: 'SEND_DTMF', digits: '1'.repeat(50) })),
      /^actions.0.action.digits: .* take 9900 ms/,
    ],
    [
      'callers that ring',
      faults({ signalling: { ringSeconds: 1 } }),
      'signalling.ringSeconds: is what callees do, and the group has none',
    ],
    [
      'callees that offer late',
      faults({ ...RECEIVE, signalling: { delayedOffer: true } }),
      'signalling.delayedOffer: is what callers do, and the group has none',
    ],
    [
      'actions of callees that reject',
      faults({ ...RECEIVE, actions: [hold], signalling: { rejectStatus: 486 } }),
      /leaves no call for the actions/,
    ],
  ];
  for (const [what, said, expected] of table) {
    t.equal(said.length, 1, `${what}: ${said.join('; ')}`);
    t.match(said[0], expected, what);
  }
});

t.test('shapes', async (t) => {
  t.ok(GroupBody.safeParse(body({ actions: Array(MAX_ACTIONS).fill(hold) })).success);
  t.throws(() => body({ actions: Array(MAX_ACTIONS + 1).fill(hold) }), /at most 30 actions a group/);
  t.throws(() => body({ actions: [act({ do: 'DANCE' })] }));
  t.throws(() => body({ actions: [act({ do: 'HOLD' }, { on: 'ANSWERED' })] }), 'the answer needs its seconds');
  t.throws(() => body({ actions: [act({ do: 'REFER', target: 'tel:1' })] }), /a SIP URI begins with sip/);
  t.notOk(Signalling.safeParse({ sessionTimer: { expiresSeconds: 90, minSeconds: 120 } }).success);
  t.notOk(Signalling.safeParse({ provisional: 182 }).success);
});
