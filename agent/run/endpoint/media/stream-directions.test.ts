/** Directions of an endpoint's streams: what is wanted after each step, what is owed, and when the call is held. */
import type { NegotiatedStream } from '@carillon/media/sdp/negotiated.ts';
import type { Direction } from '@carillon/media/sdp/session-description.ts';
import t from 'tap';
import type { MediaStream } from '../../../rtp/media-engine.ts';
import { AUDIO, VIDEO } from '../../../testing/run/pair.ts';
import type { StepPlan, TrackPlan } from '../../plan.ts';
import { StreamDirections } from './stream-directions.ts';

const HOLD: StepPlan = { do: 'HOLD' };
const RESUME: StepPlan = { do: 'RESUME' };
const TRANSFER: StepPlan = { do: 'ATTENDED_TRANSFER', target: 'sip:c@b' };
const ACTIVATE: StepPlan = { do: 'ACTIVATE_TRACK', track: 'VIDEO' };
const LATER: TrackPlan = { ...VIDEO, deferred: true };

const agreed = (direction: Direction, address: string | null = '192.0.2.1'): NegotiatedStream =>
  ({ direction, address }) as unknown as NegotiatedStream;

t.test('wanted directions: of each track, and on hold', async (t) => {
  const rows: [direction: TrackPlan['direction'], wanted: Direction, onHold: Direction][] = [
    ['BOTH', 'sendrecv', 'sendonly'],
    ['SEND', 'sendonly', 'sendonly'],
    ['RECEIVE', 'recvonly', 'inactive'],
  ];
  for (const [direction, wanted, onHold] of rows) {
    const directions = new StreamDirections([{ ...AUDIO, direction }]);
    t.equal(directions.wanted(0), wanted);
    directions.want(HOLD);
    t.equal(directions.wanted(0), onHold, `${direction} on hold`);
    directions.want(RESUME);
    t.equal(directions.wanted(0), wanted, `${direction} resumed`);
  }
  t.equal(new StreamDirections([]).wanted(0), 'inactive', 'no such track');
});

t.test('a step that fails is reverted to what was before it', async (t) => {
  const rows: [name: string, before: StepPlan[], step: StepPlan, changed: Direction, reverted: Direction][] = [
    ['HOLD', [], HOLD, 'sendonly', 'sendrecv'],
    ['HOLD on hold', [HOLD], HOLD, 'sendonly', 'sendonly'],
    ['RESUME', [HOLD], RESUME, 'sendrecv', 'sendonly'],
    ['ATTENDED_TRANSFER holds', [], TRANSFER, 'sendonly', 'sendrecv'],
  ];
  for (const [name, before, step, changed, reverted] of rows) {
    const directions = new StreamDirections([AUDIO]);
    for (const one of before) directions.want(one);
    const revert = directions.want(step);
    t.equal(directions.wanted(0), changed, name);
    revert?.();
    t.equal(directions.wanted(0), reverted, `${name}, reverted`);
  }
  for (const step of [{ do: 'REINVITE' }, { do: 'HANG_UP' }, { do: 'REFER', target: 'sip:a@b' }] as StepPlan[])
    t.equal(new StreamDirections([AUDIO]).want(step), null, `${step.do} changes no direction`);
});

t.test('a deferred track waits for its activation', async (t) => {
  const directions = new StreamDirections([AUDIO, LATER]);
  t.same([directions.wanted(1), directions.back], ['inactive', null]);
  const revert = directions.want(ACTIVATE);
  t.same([directions.wanted(1), directions.back], ['sendrecv', 'VIDEO']);
  revert?.();
  t.same([directions.wanted(1), directions.back], ['inactive', null]);
  directions.want(ACTIVATE);
  t.equal(directions.missed(ACTIVATE, [agreed('sendrecv'), agreed('sendrecv')]), null);
  t.equal(directions.back, null, 'offered: not again');
  t.equal(directions.missed(HOLD, [null, null]), null, 'no other step asks for a stream');
  for (const lacking of [null, agreed('inactive')])
    t.match(directions.missed(ACTIVATE, [agreed('sendrecv'), lacking]), /did not accept the stream/);
});

t.test('owed media: what the session lets the far end send, from the answer on, unless either end holds', async (t) => {
  const told: boolean[] = [];
  const streams = [{ expectMedia: (owed: boolean) => told.push(owed) }] as unknown as MediaStream[];
  const directions = new StreamDirections([AUDIO]);
  const says = (what: string, session: NegotiatedStream | null, expected: boolean[]): void => {
    directions.expect(streams, [session]);
    t.same(told.splice(0), expected, what);
  };
  says('not up yet', agreed('sendrecv'), []);
  directions.connected(streams, [agreed('sendrecv')]);
  t.same(told.splice(0), [true], 'the call is up');
  says('the same again is not told again', agreed('sendrecv'), []);
  says('the far end holds: we may only receive', agreed('recvonly'), [false]);
  says('it resumes', agreed('sendrecv'), [true]);
  says('it names no address', agreed('sendrecv', null), [false]);
  says('we hold', agreed('sendonly'), []);
  says('both again', agreed('sendrecv'), [true]);
  says('the stream is gone', null, [false]);
});

t.test('a far end that never let us send only plays something: it owes media', async (t) => {
  const told: boolean[] = [];
  const streams = [{ expectMedia: (owed: boolean) => told.push(owed) }] as unknown as MediaStream[];
  const directions = new StreamDirections([AUDIO]);
  directions.connected(streams, [agreed('recvonly')]);
  t.same(told.splice(0), [true]);
  new StreamDirections([AUDIO]).connected(streams, [agreed('recvonly', null)]);
  t.same(told, [], 'unless it names no address');
});

t.test('held: no stream that we want to send on may be sent on', async (t) => {
  const both = () => new StreamDirections([AUDIO, VIDEO]);
  const rows: [name: string, directions: StreamDirections, session: (NegotiatedStream | null)[], held: boolean][] = [
    ['both flow', both(), [agreed('sendrecv'), agreed('sendrecv')], false],
    ['one of two is held', both(), [agreed('recvonly'), agreed('sendrecv')], false],
    ['both are held', both(), [agreed('recvonly'), agreed('inactive')], true],
    ['the only one that is left is held', both(), [agreed('recvonly'), null], true],
    ['no stream at all', both(), [null, null], false],
    ['no address', both(), [agreed('sendrecv', null), agreed('sendrecv', null)], true],
    [
      'one that waits for activation',
      new StreamDirections([AUDIO, LATER]),
      [agreed('sendrecv'), agreed('inactive')],
      false,
    ],
    ['we only receive', new StreamDirections([{ ...AUDIO, direction: 'RECEIVE' }]), [agreed('recvonly')], false],
  ];
  for (const [name, directions, session, held] of rows) t.equal(directions.isHeld(session), held, name);
});
