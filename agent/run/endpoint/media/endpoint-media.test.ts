/** How an endpoint describes its media, and how it reads the peer's description, without sockets. */
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import type { MediaStream, StreamSession } from '../../../rtp/media-engine.ts';
import type { GroupPlan, StepPlan } from '../../plan.ts';
import { EndpointMedia } from './endpoint-media.ts';

const fingerprint = { hash: 'sha-256', value: Array(32).fill('AB').join(':') };
const track = { source: 'TONE', direction: 'BOTH' };

function mediaOf(
  group: { readonly tracks?: readonly object[]; readonly [setting: string]: unknown },
  told?: [string, number][],
  address = '192.0.2.1',
  remotes?: StreamSession['remote'][],
  begun?: StreamSession[],
) {
  const tracks = [
    { ...track, kind: 'AUDIO', codecs: ['PCMU'], packetMs: 20 },
    { ...track, kind: 'VIDEO', codecs: ['VP8'] },
  ];
  const streams = (group.tracks ?? tracks).map((_, i) => ({
    rtpPort: 4000 + 2 * i,
    rtcpPort: 4001 + 2 * i,
    start: (session: StreamSession) => {
      told?.push([`start ${i}`, session.association ?? 0]);
      remotes?.push(session.remote);
      begun?.push(session);
    },
    change: (session: StreamSession) => void told?.push([`change ${i}`, session.association ?? 0]),
  }));
  const media = new EndpointMedia({
    group: {
      tracks,
      encryption: 'NONE',
      ice: null,
      telephoneEvent: true,
      rtcpMux: false,
      dtmf: null,
      withoutMedia: null,
      ...group,
    } as unknown as GroupPlan,
    address,
    sessionId: '1',
    fingerprint,
    mayReach: () => true,
  });
  media.open(streams as unknown as MediaStream[]);
  return media;
}

const sdp = (...lines: string[]): string =>
  ['v=0', 'o=peer 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', 't=0 0', ...lines, ''].join('\r\n');

t.test('keys that the peer does not take fail the negotiation', (t) => {
  const agreed = (digits: string, ...events: string[]) => {
    const media = mediaOf({ dtmf: { digits, onMs: 100, offMs: 100, afterMs: 0 } });
    return media.agree(media.offer(), sdp('m=audio 5000 RTP/AVP 0 101', ...events, 'm=video 0 RTP/AVPF 96'), 'OFFERER');
  };
  const event = 'a=rtpmap:101 telephone-event/8000';
  t.match(agreed('1'), /does not accept telephone-event/);
  t.match(agreed('12A', event, 'a=fmtp:101 0-11'), /the digit A is to be sent, but the peer does not accept it/);
  t.equal(agreed('12#', event, 'a=fmtp:101 0-11'), null);
  t.equal(agreed('12A', event), null);
  t.end();
});

t.test('a peer that takes no such video as the file is: told why', (t) => {
  const video = {
    ...track,
    kind: 'VIDEO',
    codecs: ['H264'],
    source: 'FILE',
    h264: { profileLevelId: '640028', modes: [1] },
  };
  const told: [string, number][] = [];
  const media = mediaOf({ tracks: [{ ...track, kind: 'AUDIO', codecs: ['PCMU'], packetMs: 20 }, video] }, told);
  const offer = media.offer();
  const answer = (level: string, direction = 'sendrecv') =>
    sdp(
      'm=audio 5000 RTP/AVP 0',
      'm=video 5002 RTP/AVPF 97',
      `a=${direction}`,
      'a=rtpmap:97 H264/90000',
      `a=fmtp:97 profile-level-id=6400${level};packetization-mode=1`,
    );
  t.match(media.agree(offer, answer('1f'), 'OFFERER'), /level 4 .*no more than level 3\.1.*encode it at that level/);
  t.same(told, [], 'nothing has begun');
  t.equal(
    media.agree(offer, answer('1f', 'sendonly'), 'OFFERER'),
    null,
    'an end that wants none of it may accept anything',
  );
  t.equal(media.agree(offer, answer('28'), 'OFFERER'), null);
  t.end();
});

t.test('streams that may share a transport are named in the description as they are on the wire (RFC 5576)', (t) => {
  const begun: StreamSession[] = [];
  const media = mediaOf({ encryption: 'DTLS', ice: { stunServer: null } }, undefined, undefined, undefined, begun);
  const offer = media.offer();
  const named = [...offer.matchAll(/^a=ssrc:(\d+) cname:(\S+)\r$/gm)].map(([, ssrc, cname]) => ({
    ssrc: Number(ssrc),
    cname,
  }));
  t.equal(named.length, 2);
  t.equal(new Set(named.map(({ cname }) => cname)).size, 1, 'both play together (RFC 7022)');
  t.not(named[0]?.ssrc, named[1]?.ssrc);
  const end = ['a=rtcp-mux', 'a=ice-ufrag:peer', 'a=ice-pwd:0123456789012345678901', 'a=setup:active'];
  const candidate = 'a=candidate:1 1 udp 1 192.0.2.9 5000 typ host';
  const print = `a=fingerprint:sha-256 ${Array(32).fill('CD').join(':')}`;
  const answer = sdp(
    'a=group:BUNDLE 0 1',
    ...['m=audio 5000 UDP/TLS/RTP/SAVPF 0', 'a=mid:0', ...end, candidate, print],
    ...['m=video 5000 UDP/TLS/RTP/SAVPF 96', 'a=mid:1', 'a=rtpmap:96 VP8/90000', ...end, candidate, print],
  );
  t.equal(media.agree(offer, answer, 'OFFERER'), null);
  t.same(
    begun.map(({ sender }) => sender),
    named,
  );
  for (const group of [{}, { encryption: 'DTLS' }, { encryption: 'SDES', ice: { stunServer: null } }])
    t.notMatch(mediaOf(group).offer(), /a=ssrc/, 'others go by their port');
  t.end();
});

t.test('each stream keeps the role of its own handshake', (t) => {
  const media = mediaOf({ encryption: 'DTLS' });
  const print = `a=fingerprint:sha-256 ${Array(32).fill('CD').join(':')}`;
  const described = (audio: string, video: string) =>
    sdp(
      ...['m=audio 5000 UDP/TLS/RTP/SAVP 0', 'a=rtcp-mux', print, `a=setup:${audio}`],
      ...['m=video 5002 UDP/TLS/RTP/SAVPF 96', 'a=rtpmap:96 VP8/90000', 'a=rtcp-mux', print, `a=setup:${video}`],
    );
  const offer = media.offer();
  t.equal(media.agree(offer, described('active', 'passive'), 'OFFERER'), null);
  const answer = media.describeAgain(offer, described('actpass', 'actpass'));
  t.same(String(answer).match(/a=setup:\w+/g), ['a=setup:passive', 'a=setup:active']);
  t.end();
});

t.test('a call is on hold if all its active streams are', (t) => {
  const media = mediaOf({});
  const video = ['m=video 5002 RTP/AVPF 96', 'a=rtpmap:96 VP8/90000'];
  const offer = media.offer();
  const held = (...lines: string[]): boolean => {
    t.equal(media.agree(offer, sdp(...lines), 'OFFERER'), null);
    return media.isHeld;
  };
  const audio = 'm=audio 5000 RTP/AVP 0';
  t.equal(held(audio, 'a=inactive', ...video, 'a=inactive'), true, 'from the answer on');
  t.equal(held(audio, ...video), false);
  t.equal(held(audio, 'm=video 0 RTP/AVPF 96'), false, 'one stream is gone');
  t.equal(held(audio, 'a=sendonly', 'm=video 0 RTP/AVPF 96'), true);
  t.equal(held(audio, 'm=video 0 RTP/AVPF 96'), false);
  t.equal(held(audio, ...video, 'a=inactive'), false, 'video waits to be activated');
  t.equal(held(audio, 'a=sendonly', ...video, 'a=inactive'), true, 'and now audio is held, too');
  t.end();
});

t.test('another call has keys of its own, and either role in its handshake', (t) => {
  const crypto = (text: string): string[] => text.match(/inline:\S+/g) ?? [];
  const media = mediaOf({ encryption: 'SDES' });
  const [first, other] = [media.offer(), media.offerElsewhere()];
  const peers = (offer: string) =>
    sdp(...['m=audio 5000 RTP/SAVP 0', String(/a=crypto:\S+ \S+ inline:\S+/.exec(offer))], 'm=video 0 RTP/SAVPF 96');
  t.same(
    crypto(first).filter((key) => crypto(other).includes(key)),
    [],
  );
  t.same(crypto(String(media.offerAgain(first))), crypto(first), 'the present call keeps its own until then');
  t.equal(media.agreeElsewhere(other, peers(other), 'OFFERER'), null);
  t.same(crypto(String(media.offerAgain(other)))[0], crypto(other)[0]);

  const shaken = mediaOf({ encryption: 'DTLS' });
  const print = `a=fingerprint:sha-256 ${Array(32).fill('CD').join(':')}`;
  const answer = sdp(
    'm=audio 5000 UDP/TLS/RTP/SAVP 0',
    'a=rtcp-mux',
    print,
    'a=setup:active',
    'm=video 0 RTP/SAVPF 96',
  );
  t.equal(shaken.agree(shaken.offer(), answer, 'OFFERER'), null);
  t.match(shaken.offerElsewhere(), /a=setup:actpass/);
  t.end();
});

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

t.test('two ends with IPv6 addresses describe themselves so, and aim at each other', (t) => {
  const [ours, theirs]: StreamSession['remote'][][] = [[], []];
  const [caller, callee] = [mediaOf({}, undefined, '::1', ours), mediaOf({}, undefined, '2001:db8::5', theirs)];
  const offer = caller.offer();
  t.match(offer, /^c=IN IP6 ::1\r$/m);
  const answer = String(callee.answer(offer));
  t.match(answer, /^c=IN IP6 2001:db8::5\r$/m);
  t.same([callee.agree(offer, answer, 'ANSWERER'), caller.agree(offer, answer, 'OFFERER')], [null, null]);
  const at = (address: string) => [4000, 4002].map((rtpPort) => ({ address, rtpPort, rtcpPort: rtpPort + 1 }));
  t.same([ours, theirs], [at('2001:db8::5'), at('::1')]);
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

t.test('signalling-only calls: an inactive offer, or none; any answer is accepted, and no media are sent', (t) => {
  const without = (sdp: 'OFFER' | 'NONE', more: object = {}) =>
    mediaOf({ tracks: [], withoutMedia: { sdp, codecs: ['PCMU', 'OPUS'] }, ...more });
  const media = without('OFFER');
  const offer = media.offer();
  t.match(offer, /m=audio 9 RTP\/AVP 0 .*a=inactive/s);
  const ANSWERS = ['m=audio 5000 RTP/AVP 0', 'm=audio 0 RTP/AVP 0', 'm=audio 5000 RTP/AVP 8'];
  for (const answer of [...ANSWERS.map((line) => sdp(line)), '', 'no session description'])
    t.equal(media.agree(offer, answer, 'OFFERER'), null, answer);
  t.equal(media.started, 0);
  t.same([media.isHeld, media.firstPacketAtMs(), media.remoteAddresses], [false, null, []]);
  for (const words of ['OFFER', 'NONE'] as const) {
    const answers = without(words, { encryption: 'SDES' });
    t.match(answers.answer(sdp('m=audio 5000 RTP/AVP 0')), { fault: 'NOT_ENCRYPTED' }, 'of another encryption');
    const answer = without(words).answer(sdp('m=audio 5000 RTP/AVP 0', 'm=video 5002 RTP/AVPF 96'));
    t.match(answer, /m=audio 9 RTP\/AVP 0\r\n.*a=inactive.*m=video 0 /s);
    t.match(without(words).answer(sdp('m=image 5000 udptl t38')), { fault: 'NO_AUDIO' });
    t.match(without(words).describeAgain(String(answer), sdp('m=audio 5000 RTP/AVP 0')), /m=audio 9 .*a=inactive/s);
  }
  const none = without('NONE');
  t.equal(none.offer(), '');
  t.equal(none.offerElsewhere(), '');
  t.equal(none.describeAgain('', ''), '', 'a refresh of a session that nothing describes');
  t.match(none.describeAgain('', sdp('m=audio 5000 RTP/AVP 0')), /m=audio 9 .*a=inactive/s);
  t.end();
});

t.test(
  'ICE: candidates that the policy allows are told to the stream; a restart is answered with other credentials',
  (t) => {
    const sessions: StreamSession[] = [];
    const tracks = [{ ...track, kind: 'AUDIO', codecs: ['PCMU'], packetMs: 20 }];
    const media = new EndpointMedia({
      group: {
        ...{ tracks, encryption: 'NONE', telephoneEvent: false, rtcpMux: false, dtmf: null, withoutMedia: null },
        ice: { stunServer: null },
      } as unknown as GroupPlan,
      address: '192.0.2.1',
      sessionId: '1',
      fingerprint,
      mayReach: (address) => !address.startsWith('10.'),
    });
    let iceState = 'CHECKING';
    const told = { start: (session: StreamSession) => void sessions.push(session), iceState: () => iceState };
    media.open([{ rtpPort: 4000, rtcpPort: 4001, ...told, change: told.start }] as unknown as MediaStream[]);
    const offered = (pwd: string, ...candidates: string[]) =>
      sdp(
        ...['m=audio 5000 RTP/AVP 0', 'a=rtcp-mux', 'a=ice-ufrag:peer', `a=ice-pwd:${pwd.padEnd(22, pwd)}`],
        ...candidates.map((address, i) => `a=candidate:${i} 1 udp ${100 - i} ${address} 5000 typ host`),
      );
    const offer = offered('p', '192.0.2.9', '10.0.0.9');
    const answer = String(media.answer(offer));
    t.match(answer, /a=candidate:1 1 udp 2130706431 192.0.2.1 4000 typ host/);
    t.equal(media.agree(offer, answer, 'ANSWERER'), null);
    t.match(sessions[0]?.ice, { controlling: false, remote: { ufrag: 'peer' } });
    t.same(
      sessions[0]?.ice?.remote.candidates.map(({ address }) => address),
      ['192.0.2.9'],
    );
    t.equal(String(media.describeAgain(answer, offer)), answer, 'a refresh changes nothing');
    const again = offered('q', '192.0.2.9');
    const restarted = String(media.describeAgain(answer, again));
    const ufrag = (text: string) => /a=ice-ufrag:(\S+)/.exec(text)?.[1];
    t.not(ufrag(restarted), ufrag(answer));
    t.equal(media.agree(again, restarted, 'ANSWERER'), null);
    t.equal(sessions[1]?.ice?.local.ufrag, ufrag(restarted));
    t.equal(ufrag(String(media.offerAgain(restarted))), ufrag(restarted), 'our own later offers are none');

    const forbidden = offered('r', '10.0.0.9').replaceAll('192.0.2.9', '10.0.0.9');
    t.equal(media.iceFailure(500), null, 'it had no time');
    t.match(media.iceFailure(5000), /before ICE found a working pair/);
    iceState = 'FAILED';
    t.match(media.iceFailure(5000), /no pair of candidates answered/);
    iceState = 'COMPLETED';
    t.equal(media.iceFailure(5000), null);
    t.match(media.describeAgain(restarted, forbidden), { fault: 'FORBIDDEN', reason: /10\.0\.0\.9/ });
    t.end();
  },
);

t.test('what is written once for all calls of a group is what each would write, but for the keys of each', (t) => {
  for (const encryption of ['NONE', 'DTLS', 'SDES'])
    for (const address of ['192.0.2.1', '2001:db8::1']) {
      const group = () => ({
        ...{
          tracks: [],
          encryption,
          telephoneEvent: true,
          rtcpMux: false,
          dtmf: null,
          ice: null,
          feedbackProfile: 'AVP',
        },
        withoutMedia: { sdp: 'OFFER', codecs: ['PCMU', 'OPUS'] },
      });
      const offerOf = (of: object, sessionId: string): string =>
        new EndpointMedia({
          ...{ group: of as GroupPlan, address, sessionId, fingerprint, mayReach: () => true },
        }).offer();
      const one = group();
      const unkeyed = (text: string): string => text.replaceAll(/inline:\S+/g, 'inline:KEY');
      for (const sessionId of ['1', '77', '2147483648'])
        t.equal(unkeyed(offerOf(one, sessionId)), unkeyed(offerOf(group(), sessionId)), `${encryption} ${sessionId}`);
      const offers = new Set([offerOf(one, '5'), offerOf(one, '5')]);
      t.equal(offers.size, encryption === 'SDES' ? 2 : 1);
    }
  t.end();
});
