/** How an endpoint describes its media, and how it reads the peer's description, without sockets. */
import t from 'tap';
import type { MediaStream, StreamSession } from '../../../rtp/media-engine.ts';
import { fingerprint, mediaOf, sdp, track } from '../../../testing/run/endpoint-sdp.ts';
import type { GroupPlan } from '../../plan.ts';
import { EndpointMedia } from './endpoint-media.ts';

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
