/** When the far end owes media: after each description, ours and its own, without sockets. */
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import type { MediaStream } from '../../../rtp/media-engine.ts';
import { mediaOf, sdp, track } from '../../../testing/run/endpoint-sdp.ts';
import type { GroupPlan, StepPlan } from '../../plan.ts';
import { EndpointMedia } from './endpoint-media.ts';

t.test('a stream that has no place is offered when it is activated; one that comes back repeats the handshake', (t) => {
  const told: [what: string, association: number][] = [];
  const media = mediaOf({ encryption: 'DTLS' }, told);
  const print = `a=fingerprint:sha-256 ${Array(32).fill('CD').join(':')}`;
  const audio = ['m=audio 5000 UDP/TLS/RTP/SAVP 0', 'a=rtcp-mux', print, 'a=setup:active'];
  const described = (port: number) =>
    sdp(
      ...audio,
      ...[`m=video ${port} UDP/TLS/RTP/SAVPF 96`, 'a=rtpmap:96 VP8/90000', 'a=rtcp-mux', print, 'a=setup:active'],
    );
  const step = { do: 'ACTIVATE_TRACK', track: 'VIDEO' } as const;
  const activate = (current: string, port: number): [offer: string, missed: string | null] => {
    media.want(step);
    const offer = String(media.offerAgain(current));
    t.match(offer, /m=video 4002/);
    t.equal(media.agree(offer, described(port), 'OFFERER'), null);
    return [offer, media.missed(step)];
  };
  const alone = String(media.answer(sdp(...audio)));
  t.equal(media.agree(sdp(...audio), alone, 'ANSWERER'), null);
  const [declined, missed] = activate(alone, 0);
  t.equal(missed, 'the far end did not accept the stream');
  const [both, nothing] = activate(declined, 5002);
  t.equal(nothing, null);
  const removed = String(media.describeAgain(both, described(0)));
  t.match(removed, /m=video 0/);
  t.equal(media.agree(described(0), removed, 'ANSWERER'), null);
  t.match(String(media.offerAgain(removed)), /m=video 0/, 'not unasked');
  t.equal(activate(removed, 5002)[1], null);
  t.same(told, [
    ['start 0', 0],
    ['start 1', 0],
    ['change 1', 0],
    ['change 1', 1],
  ]);
  t.end();
});

type Sdp = readonly ['OFFERS' | 'ANSWERS', ...string[]];

type Owed = {
  readonly what: string;
  readonly track?: object;
  readonly says: readonly (Sdp | StepPlan)[];
  readonly owed: boolean[];
};

const dir = (...directions: string[]): Sdp => ['ANSWERS', ...directions];

const his = (...directions: string[]): Sdp => ['OFFERS', ...directions];

const HOLD: StepPlan = { do: 'HOLD' };

const RESUME: StepPlan = { do: 'RESUME' };

const ACTIVATE: StepPlan = { do: 'ACTIVATE_TRACK', track: 'AUDIO' };

/** c=0.0.0.0: a hold in the old form, or third-party call control that will name the address later (RFC 3725). */
const NOWHERE = 'nowhere';

/** How the far end's first answer and later descriptions, and ours, change what it owes; the call is up with its first answer. */
const OWED: readonly Owed[] = [
  { what: 'both ways', says: [dir('sendrecv')], owed: [true] },
  { what: 'an announcement: the first answer lets us send nothing', says: [dir('sendonly')], owed: [true] },
  { what: 'a far end that listens', says: [dir('recvonly')], owed: [] },
  { what: 'neither way', says: [dir('inactive')], owed: [] },
  { what: 'nobody there yet', says: [dir(NOWHERE)], owed: [] },
  { what: 'and then somebody', says: [dir(NOWHERE), his('sendrecv')], owed: [true] },
  { what: 'we only play', track: { direction: 'SEND' }, says: [dir('recvonly')], owed: [] },
  { what: 'we only listen', track: { direction: 'RECEIVE' }, says: [dir('sendonly')], owed: [true] },
  { what: 'we only listen, and are told nothing', track: { direction: 'RECEIVE' }, says: [dir('inactive')], owed: [] },

  {
    what: 'the far end holds, and resumes',
    says: [dir('sendrecv'), his('sendonly'), his('sendrecv')],
    owed: [true, false, true],
  },
  {
    what: 'it holds with inactive',
    says: [dir('sendrecv'), his('inactive'), his('sendrecv')],
    owed: [true, false, true],
  },
  {
    what: 'it holds with no address',
    says: [dir('sendrecv'), his(NOWHERE), his('sendrecv')],
    owed: [true, false, true],
  },
  {
    what: 'it holds twice',
    says: [dir('sendrecv'), his('sendonly'), his('inactive'), his('sendonly')],
    owed: [true, false],
  },
  { what: 'it only refreshes', says: [dir('sendrecv'), his('sendrecv'), his('sendrecv')], owed: [true] },
  {
    what: 'it stops to send, and does so again',
    says: [dir('sendrecv'), his('recvonly'), his('sendrecv')],
    owed: [true, false, true],
  },
  { what: 'an announcement, then a call', says: [dir('sendonly'), his('sendrecv')], owed: [true] },
  {
    what: 'an announcement, a call, a hold',
    says: [dir('sendonly'), his('sendrecv'), his('sendonly')],
    owed: [true, false],
  },
  { what: 'an announcement that goes on', says: [dir('sendonly'), his('sendonly')], owed: [true] },
  {
    what: 'a listener is not held',
    track: { direction: 'RECEIVE' },
    says: [dir('sendonly'), his('sendonly')],
    owed: [true],
  },

  {
    what: 'we hold, and resume',
    says: [dir('sendrecv'), HOLD, dir('recvonly'), RESUME, dir('sendrecv')],
    owed: [true, false, true],
  },
  {
    what: 'we hold, and the peer sends nothing either',
    says: [dir('sendrecv'), HOLD, dir('inactive'), RESUME, dir('sendrecv')],
    owed: [true, false, true],
  },
  {
    what: 'both hold, one resumes',
    says: [dir('sendrecv'), HOLD, dir('inactive'), RESUME, dir('sendonly')],
    owed: [true, false],
  },
  {
    what: 'the peer asks while we hold',
    says: [dir('sendrecv'), HOLD, dir('recvonly'), his('sendrecv')],
    owed: [true, false],
  },

  { what: 'not yet activated', track: { deferred: true }, says: [dir('inactive')], owed: [] },
  { what: 'activated', track: { deferred: true }, says: [dir('inactive'), ACTIVATE, dir('sendrecv')], owed: [true] },
  {
    what: 'activated, and held',
    track: { deferred: true },
    says: [dir('inactive'), ACTIVATE, dir('sendrecv'), his('sendonly')],
    owed: [true, false],
  },
  {
    what: 'activated, and not taken up',
    track: { deferred: true },
    says: [dir('inactive'), ACTIVATE, dir('inactive')],
    owed: [],
  },
];

/** One audio stream, and when media were owed to it; with `video`, another one. */
function owedOn(track: object, video: readonly object[] = []) {
  const told: boolean[] = [];
  const stream = { rtpPort: 4000, rtcpPort: 4001, start: () => undefined, change: () => undefined };
  const expectMedia = (owed: boolean): void => void told.push(owed);
  const tracks = [{ source: 'TONE', direction: 'BOTH', kind: 'AUDIO', codecs: ['PCMU'], packetMs: 20, ...track }];
  const media = new EndpointMedia({
    group: {
      ...{ encryption: 'NONE', ice: null, telephoneEvent: false, rtcpMux: false, dtmf: null },
      tracks: [...tracks, ...video],
      withoutMedia: null,
    } as unknown as GroupPlan,
    address: '192.0.2.1',
    sessionId: '1',
    fingerprint: null,
    mayReach: () => true,
  });
  media.open([
    { ...stream, expectMedia },
    ...video.map(() => ({ ...stream, rtpPort: 4002, rtcpPort: 4003 })),
  ] as unknown as MediaStream[]);
  return { media, told };
}

const audioOf = (direction: string): string => {
  const text = sdp('m=audio 5000 RTP/AVP 0', `a=${direction}`);
  return direction === NOWHERE
    ? text.replace('c=IN IP4 192.0.2.9', 'c=IN IP4 0.0.0.0').replace('nowhere', 'sendrecv')
    : text;
};

t.test('when media are owed', (t) => {
  for (const { what, track = {}, says, owed } of OWED) {
    const { media, told } = owedOn(track);
    let current = media.offer();
    for (const [i, said] of says.entries()) {
      if (!Array.isArray(said)) {
        media.want(said as StepPlan);
        current = String(media.offerAgain(current));
        continue;
      }
      const [who, direction = ''] = said as Sdp;
      if (who === 'ANSWERS') t.equal(media.agree(current, audioOf(direction), 'OFFERER'), null, what);
      else {
        const answer = media.describeAgain(current, audioOf(direction));
        if (typeof answer !== 'string') throw new Error(`${what}: ${answer.reason}`);
        t.equal(media.agree(audioOf(direction), answer, 'ANSWERER'), null, what);
        current = answer;
      }
      if (i > 0) continue;
      t.same(told, [], 'nothing before the call is up');
      media.connected();
    }
    t.same(told, owed, what);
  }
  t.end();
});

t.test('a stream that has no place in the session is owed nothing', (t) => {
  const { media, told } = owedOn({}, [{ ...track, kind: 'VIDEO', codecs: ['VP8'] }]);
  const described = (port: number): string =>
    sdp(`m=audio ${port} RTP/AVP 0`, 'm=video 5002 RTP/AVPF 96', 'a=rtpmap:96 VP8/90000');
  let current = media.offer();
  t.equal(media.agree(current, described(0), 'OFFERER'), null);
  media.connected();
  t.same(told, [], 'declined');
  for (const [port, owed] of [
    [5000, [true]],
    [0, [true, false]],
    [5000, [true, false, true]],
  ] as const) {
    const answer = String(media.describeAgain(current, described(port)));
    t.equal(media.agree(described(port), answer, 'ANSWERER'), null);
    current = answer;
    t.same(told, owed);
  }
  t.end();
});

t.test('what was agreed on before the answer is owed from the answer on', (t) => {
  const { media, told } = owedOn({});
  const offer = media.offer();
  for (const early of ['sendonly', 'sendrecv', 'sendrecv'])
    t.equal(media.agree(offer, audioOf(early), 'OFFERER'), null);
  t.same(told, []);
  media.connected();
  t.same(told, [true]);
  const held = owedOn({});
  const another = held.media.offer();
  for (const early of ['sendrecv', 'sendonly']) held.media.agree(another, audioOf(early), 'OFFERER');
  held.media.connected();
  t.same(held.told, [true], 'early media that flowed make no hold of an announcement');
  t.end();
});

t.test('whatever the two say, each stream is told of every change, once', (t) => {
  const direction = fc.constantFrom('sendrecv', 'sendonly', 'recvonly', 'inactive', NOWHERE);
  const step = fc.oneof(fc.constantFrom(HOLD, RESUME), direction);
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), (steps) => {
      const { media, told } = owedOn({});
      let current = media.offer();
      media.agree(current, audioOf('sendrecv'), 'OFFERER');
      media.connected();
      for (const step of [...steps, RESUME]) {
        if (typeof step === 'string') {
          const answer = media.describeAgain(current, audioOf(step));
          if (typeof answer !== 'string' || media.agree(audioOf(step), answer, 'ANSWERER') !== null) continue;
          current = answer;
          const ours = /a=(sendrecv|sendonly|recvonly|inactive)/.exec(answer)?.[1];
          const isOpen = step === 'sendrecv' && ours === 'sendrecv';
          if (told.at(-1) !== isOpen) throw new Error(`${step}, ${ours}: owed ${told.at(-1)}`);
        } else {
          media.want(step);
          current = String(media.offerAgain(current));
        }
      }
      if (told.some((owed, i) => owed === (told[i - 1] ?? false))) throw new Error(`told twice: ${told}`);
    }),
    { numRuns: 300 },
  );
  t.end();
});
