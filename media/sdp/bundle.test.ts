/** Lines that share one transport (RFC 9143): proposed, answered and agreed, initially and later. */
import t from 'tap';
import { localCandidates } from '../ice/candidate.ts';
import { answerAgain, answerSdp, offerAgain } from './answer.ts';
import type { LocalSession, LocalStream } from './local.ts';
import { type NegotiatedStream, negotiated, type Side } from './negotiated.ts';
import { offerSdp } from './offer.ts';
import { isSdpFault } from './session-description.ts';

const FINGERPRINT = { hash: 'sha-256', value: Array(32).fill('AB').join(':') };

function end(address: string, port: number, more: Partial<LocalSession> = {}): LocalSession {
  const stream = (rtpPort: number) => ({
    ...{ rtpPort, rtcpPort: rtpPort + 1, direction: 'sendrecv' as const, keys: [] },
    ice: {
      ...{ ufrag: `u${rtpPort}`, pwd: 'p'.repeat(24), lite: false },
      candidates: localCandidates({ address, port: rtpPort }, null),
    },
  });
  return {
    ...{ address, sessionId: '1', version: '1', rtcpMux: true, bundle: true, feedbackProfile: 'AVPF' },
    security: { mode: 'DTLS', fingerprint: FINGERPRINT },
    streams: [
      { kind: 'AUDIO', ...stream(port), codecs: ['OPUS'], packetMs: 20, telephoneEvent: true },
      { kind: 'VIDEO', ...stream(port + 2), codecs: ['VP8', 'H264'] },
    ],
    ...more,
  };
}
const US = end('192.0.2.1', 4000);
const THEM = end('192.0.2.2', 6000);

const text = (result: ReturnType<typeof answerSdp>): string => {
  if (isSdpFault(result)) throw new Error(result.reason);
  return result;
};
const agreed = (offer: string, answer: string, side: Side): readonly NegotiatedStream[] => {
  const result = negotiated(offer, answer, side);
  if (isSdpFault(result)) throw new Error(result.reason);
  return result;
};
const places = (streams: readonly NegotiatedStream[]) =>
  streams.map(({ localPort, rtpPort, rtcpPort, ice, mid }) => [
    localPort,
    rtpPort,
    rtcpPort,
    ice?.remote.ufrag,
    mid?.id,
  ]);
const lines = (sdp: string, pattern: RegExp): string[] => sdp.split('\r\n').filter((line) => pattern.test(line));
const without = (sdp: string, pattern: RegExp): string =>
  sdp
    .split('\r\n')
    .filter((line) => !pattern.test(line))
    .join('\r\n');
/** How our end describes itself when `streams` share the first one's transport. */
const sharing = (local: LocalSession): LocalSession => {
  const [{ rtpPort, rtcpPort, ice }] = local.streams as [LocalStream];
  return { ...local, streams: local.streams.map((one) => ({ ...one, rtpPort, rtcpPort, ice: ice ?? null })) };
};

t.test('an offer proposes one transport, and has one for each line in case nobody takes it', (t) => {
  const offer = offerSdp(US);
  t.same(lines(offer, /^a=(group|mid|extmap|bundle-only)|^m=/), [
    'a=group:BUNDLE 0 1',
    'm=audio 4000 UDP/TLS/RTP/SAVPF 111 110 101',
    'a=mid:0',
    'a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid',
    'm=video 4002 UDP/TLS/RTP/SAVPF 96 97 98',
    'a=mid:1',
    'a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid',
  ]);
  t.equal(lines(offer, /^a=ice-ufrag/).length, 2);
  const { bundle: _, ...alone } = US;
  t.notMatch(offerSdp(alone), /BUNDLE|mid/);
  t.end();
});

t.test('the answer shares the first transport, and says what belongs to it once', (t) => {
  const offer = offerSdp(US);
  const answer = text(answerSdp(offer, THEM));
  t.same(lines(answer, /^a=(group|mid|ice-ufrag|setup|fingerprint|rtcp-mux)|^m=/), [
    'a=group:BUNDLE 0 1',
    'm=audio 6000 UDP/TLS/RTP/SAVPF 111 110',
    'a=mid:0',
    'a=rtcp-mux',
    `a=fingerprint:sha-256 ${FINGERPRINT.value}`,
    'a=setup:active',
    'a=ice-ufrag:u6000',
    'm=video 6000 UDP/TLS/RTP/SAVPF 96',
    'a=mid:1',
    'a=rtcp-mux',
  ]);
  t.same(places(agreed(offer, answer, 'OFFERER')), [
    [4000, 6000, 6000, 'u6000', '0'],
    [4000, 6000, 6000, 'u6000', '1'],
  ]);
  t.same(places(agreed(offer, answer, 'ANSWERER')), [
    [6000, 4000, 4000, 'u4000', '0'],
    [6000, 4000, 4000, 'u4000', '1'],
  ]);
  t.match(agreed(offer, answer, 'OFFERER'), [
    { mid: { extension: 1 }, security: { role: 'SERVER' } },
    { mid: { extension: 1 }, security: { role: 'SERVER' } },
  ]);
  t.end();
});

t.test('a peer that does not know groups keeps a transport for each line', (t) => {
  const { bundle: _, ...old } = THEM;
  const offer = offerSdp(US);
  const answer = text(answerSdp(offer, old));
  t.notMatch(answer, /BUNDLE|a=mid/);
  t.same(places(agreed(offer, answer, 'OFFERER')), [
    [4000, 6000, 6000, 'u6000', undefined],
    [4002, 6002, 6002, 'u6002', undefined],
  ]);
  t.end();
});

t.test('a group without ICE or DTLS is declined, and what is bundle-only with it', (t) => {
  const plain = without(offerSdp(US), /^a=(ice|candidate|end-of)/).replace(/m=video 4002/, 'm=video 0');
  const only = plain.replace('a=mid:1', 'a=mid:1\r\na=bundle-only');
  t.same(lines(text(answerSdp(only, THEM)), /^m=|group/), [
    'm=audio 6000 UDP/TLS/RTP/SAVPF 111 110',
    'm=video 0 UDP/TLS/RTP/SAVPF 96 97 98',
  ]);
  t.end();
});

t.test('a bundle-only line is taken with its group, and has its place by that', (t) => {
  const offer = offerSdp(US).replace('m=video 4002', 'm=video 0').replace('a=mid:1', 'a=mid:1\r\na=bundle-only');
  const [audio, video] = offer.split(/(?=m=video)/) as [string, string];
  const bare = audio + without(video, /^a=(ice|candidate|end-of|fingerprint|setup)|^c=/);
  const answer = text(answerSdp(bare, THEM));
  t.same(places(agreed(bare, answer, 'ANSWERER')), [
    [6000, 4000, 4000, 'u4000', '0'],
    [6000, 4000, 4000, 'u4000', '1'],
  ]);
  t.end();
});

t.test('the first line that is taken leads the group; one that is turned down keeps its name', (t) => {
  const offer = offerSdp(US);
  const answer = text(answerSdp(offer, { ...THEM, streams: THEM.streams.slice(1) }));
  t.same(lines(answer, /^a=(group|mid|ice-ufrag)|^m=/), [
    'a=group:BUNDLE 1',
    'm=audio 0 UDP/TLS/RTP/SAVPF 111 110 101',
    'a=mid:0',
    'm=video 6002 UDP/TLS/RTP/SAVPF 96',
    'a=mid:1',
    'a=ice-ufrag:u6002',
  ]);
  t.same(places(agreed(offer, answer, 'OFFERER')), [[4002, 6002, 6002, 'u6002', '1']]);
  t.end();
});

t.test('one payload type in two lines of a group is no answer', (t) => {
  const offer = offerSdp(US);
  const answer = text(answerSdp(offer, THEM)).replace('SAVPF 96', 'SAVPF 111').replace('rtpmap:96', 'rtpmap:111');
  t.match(negotiated(offer, answer, 'OFFERER'), { fault: 'MISMATCH', reason: /payload type 111 .* 9\.1\.1/ });
  t.end();
});

t.test('later offers and answers keep the shared transport', (t) => {
  const offer = offerSdp(US);
  const answer = text(answerSdp(offer, THEM));
  const again = text(offerAgain(offer, sharing(US)));
  t.same(lines(again, /^a=(group|mid|ice-ufrag|setup)|^m=/), [
    'a=group:BUNDLE 0 1',
    'm=audio 4000 UDP/TLS/RTP/SAVPF 111 110 101',
    'a=mid:0',
    'a=setup:actpass',
    'a=ice-ufrag:u4000',
    'm=video 4000 UDP/TLS/RTP/SAVPF 96 97 98',
    'a=mid:1',
  ]);
  const standing = answerAgain(answer, again, sharing(THEM));
  t.equal(standing, answer, 'nothing has changed at the other end');
  t.same(places(agreed(again, text(standing), 'OFFERER')), places(agreed(offer, answer, 'OFFERER')));
  t.equal(offerAgain(again, sharing(US)), again, 'and nothing at ours the next time');
  const [before, ...rest] = again.split(/(?=m=)/) as [string, string, string];
  const audioOff = [
    before.replace('BUNDLE 0 1', 'BUNDLE 1'),
    'm=audio 0 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n',
    rest[1],
  ];
  const left =
    audioOff.join('') +
    lines(rest[0]!, /^a=(ice|cand|end|finger|setup)/)
      .map((one) => `${one}\r\n`)
      .join('');
  const videoOnly = text(answerAgain(answer, left, sharing(THEM)));
  t.same(
    places(agreed(left, videoOnly, 'ANSWERER')),
    [[6000, 4000, 4000, 'u4000', '1']],
    'the transport outlives its line',
  );
  t.end();
});
