import t from 'tap';
import { answerAgain, answerSdp, offerAgain, offerAnew } from './answer.ts';
import { type H264Stream, unplayableH264 } from './h264-format.ts';
import type { LocalAudio, LocalSession, LocalVideo } from './local.ts';
import { type NegotiatedStream, negotiated } from './negotiated.ts';
import { offerSdp } from './offer.ts';
import { isSdpFault, type SdpFault } from './session-description.ts';
import type { AudioFormat, VideoFormat } from './stream-format.ts';

const AUDIO: LocalAudio = {
  kind: 'AUDIO',
  rtpPort: 4000,
  rtcpPort: 4001,
  direction: 'sendrecv',
  keys: [],
  codecs: ['OPUS', 'G722', 'PCMU'],
  packetMs: 20,
  telephoneEvent: true,
};
const VIDEO: LocalVideo = {
  kind: 'VIDEO',
  rtpPort: 4002,
  rtcpPort: 4003,
  direction: 'sendrecv',
  keys: [],
  codecs: ['VP8', 'H264'],
};
const US: LocalSession = {
  address: '192.0.2.1',
  sessionId: '3000',
  version: '1',
  rtcpMux: false,
  security: { mode: 'NONE' },
  feedbackProfile: 'AVP',
  streams: [AUDIO, VIDEO],
};
const THEM: LocalSession = { ...US, address: '2001:db8::2', sessionId: '9' };

const sdp = (...lines: string[]): string =>
  ['v=0', 'o=peer 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', 't=0 0', ...lines, ''].join('\r\n');
const textOf = (result: string | SdpFault): string => (isSdpFault(result) ? result.reason : result);
const linesOf = (text: string, start = 'm=') => text.split('\r\n').filter((line) => line.startsWith(start));

function agreed(offer: string, answer: string, side: 'OFFERER' | 'ANSWERER'): readonly NegotiatedStream[] {
  const result = negotiated(offer, answer, side);
  if (isSdpFault(result)) throw new Error(result.reason);
  return result;
}

/** What we accept of an offered audio stream. */
function audioOf(...lines: string[]): Partial<AudioFormat> | string {
  const offer = sdp(...lines);
  const answer = answerSdp(offer, US);
  if (isSdpFault(answer)) return answer.fault;
  return agreed(offer, answer, 'ANSWERER')[0]?.format as AudioFormat;
}
const videoOf = (...lines: string[]) => audioOf(...lines) as unknown as VideoFormat | string;

t.test('an offer of everything, word for word', (t) => {
  t.same(offerSdp(US).split('\r\n').slice(4), [
    'm=audio 4000 RTP/AVP 111 9 0 110 101',
    'c=IN IP4 192.0.2.1',
    'a=rtpmap:111 opus/48000/2',
    'a=fmtp:111 minptime=10;useinbandfec=1',
    'a=rtpmap:9 G722/8000',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:110 telephone-event/48000',
    'a=fmtp:110 0-15',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-15',
    'a=ptime:20',
    'a=sendrecv',
    'a=rtcp-xr:voip-metrics',
    'm=video 4002 RTP/AVP 96 97 98',
    'c=IN IP4 192.0.2.1',
    'a=rtpmap:96 VP8/90000',
    'a=rtpmap:97 H264/90000',
    'a=fmtp:97 profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1',
    'a=rtpmap:98 H264/90000',
    'a=fmtp:98 profile-level-id=42e01f;packetization-mode=0;level-asymmetry-allowed=1',
    'a=sendrecv',
    'a=rtcp-fb:* nack',
    'a=rtcp-fb:* nack pli',
    'a=rtcp-fb:* ccm fir',
    '',
  ]);
  t.end();
});

t.test('over AVPF: all lines, and reduced-size RTCP of video', (t) => {
  const offer = offerSdp({ ...US, feedbackProfile: 'AVPF' });
  t.same(linesOf(offer), ['m=audio 4000 RTP/AVPF 111 9 0 110 101', 'm=video 4002 RTP/AVPF 96 97 98']);
  t.equal(offer.match(/a=rtcp-rsize/g)?.length, 1);
  const answer = textOf(answerSdp(offer, THEM));
  t.same(linesOf(answer), ['m=audio 4000 RTP/AVPF 111 110', 'm=video 4002 RTP/AVPF 96'], 'answered as it was offered');
  t.match(agreed(offer, answer, 'OFFERER')[1], { reducedSize: true, format: { feedback: { nack: true } } });
  t.end();
});

t.test('both ends come to the same of audio and video', (t) => {
  const offer = offerSdp(US);
  const answer = textOf(answerSdp(offer, THEM));
  t.same(linesOf(answer), ['m=audio 4000 RTP/AVP 111 110', 'm=video 4002 RTP/AVP 96']);
  const [audio, video] = agreed(offer, answer, 'OFFERER');
  t.match(audio, {
    index: 0,
    localPort: 4000,
    address: '2001:db8::2',
    format: {
      kind: 'AUDIO',
      codec: 'OPUS',
      sendPayloadType: 111,
      otherPayloadTypes: [],
      telephoneEvent: { sendPayloadType: 110, receivePayloadType: 110, clockRateHz: 48_000 },
      comfortNoisePayloadType: null,
    },
    security: null,
    reducedSize: false,
    extendedReports: true,
  });
  t.match(video, {
    index: 1,
    localPort: 4002,
    format: { kind: 'VIDEO', codec: 'VP8', feedback: { nack: true, pli: true, fir: true } },
    reducedSize: false,
    extendedReports: false,
  });
  t.match(agreed(offer, answer, 'ANSWERER'), [{ address: '192.0.2.1' }, { format: { codec: 'VP8' } }]);
  t.end();
});

t.test('streams are met in any order, and those that are not ours stand in their places', (t) => {
  const offer = sdp(
    'm=application 7000 UDP/BFCP *',
    'm=video 7002 RTP/AVP 100 101',
    'a=rtpmap:100 AV1/90000',
    'a=rtpmap:101 VP8/90000',
    'a=rtcp-fb:101 nack pli',
    'a=rtcp-fb:* goog-remb',
    'm=video 7004 RTP/AVP 101',
    'a=rtpmap:101 VP8/90000',
    'm=audio 7006 RTP/AVP 0',
  );
  const answer = textOf(answerSdp(offer, US));
  t.same(linesOf(answer), [
    'm=application 0 UDP/BFCP *',
    'm=video 4002 RTP/AVP 101',
    'm=video 0 RTP/AVP 101',
    'm=audio 4000 RTP/AVP 0',
  ]);
  t.same(linesOf(answer, 'a=rtcp-fb'), ['a=rtcp-fb:101 nack pli']);
  t.match(agreed(offer, answer, 'ANSWERER'), [
    { index: 1, localPort: 4002, format: { feedback: { nack: false, pli: true, fir: false } } },
    { index: 3, localPort: 4000, format: { codec: 'PCMU' } },
  ]);
  const audioOnly = { ...US, streams: [AUDIO] };
  t.match(linesOf(textOf(answerSdp(offerSdp(US), audioOnly))), ['m=audio 4000', 'm=video 0 RTP/AVP 96 97 98']);
  const [only, none] = agreed(offerSdp(US), textOf(answerSdp(offerSdp(US), audioOnly)), 'OFFERER');
  t.match(only, { index: 0 });
  t.equal(none, undefined, 'what was turned down is missing');
  const offered = sdp('m=audio 1 RTP/AVP 18', 'm=video 3 RTP/AVP 96', 'a=rtpmap:96 AV1/90000');
  t.match(answerSdp(offered, US), { fault: 'NO_COMMON_CODEC', reason: /G729/ });
  t.match(
    linesOf(textOf(answerSdp(sdp('m=audio 1 RTP/AVP 18', 'm=video 3 RTP/AVP 96', 'a=rtpmap:96 VP8/90000'), US))),
    ['m=audio 0', 'm=video 4002'],
  );
  t.match(negotiated(offerSdp(US), sdp('m=audio 0 RTP/AVP 0', 'm=video 0 RTP/AVP 96'), 'OFFERER'), {
    fault: 'REJECTED',
  });
  t.end();
});

t.test('L16 is named with its one channel or without, and a packet has at most 30 ms of it', (t) => {
  const offer = offerSdp({ ...US, streams: [{ ...AUDIO, codecs: ['L16'] }] });
  t.match(linesOf(offer, 'a=rtpmap:112'), ['a=rtpmap:112 L16/8000']);
  for (const name of ['L16/8000', 'L16/8000/1']) {
    const answer = sdp('m=audio 3 RTP/AVP 112', `a=rtpmap:112 ${name}`, 'a=ptime:60');
    t.match(agreed(offer, answer, 'OFFERER')[0]?.format, { codec: 'L16', sendPayloadType: 112, packetMs: 30 });
  }
  t.match(linesOf(offerSdp({ ...US, streams: [{ ...AUDIO, codecs: ['L16'], packetMs: 60 }] }), 'a=ptime:'), [
    'a=ptime:30',
  ]);
  const both = offerSdp({ ...US, streams: [{ ...AUDIO, codecs: ['PCMU', 'L16'] }] });
  const mixed = sdp('m=audio 3 RTP/AVP 0 112', 'a=rtpmap:112 L16/8000');
  const [stream] = agreed(both, mixed, 'OFFERER');
  t.match(
    stream?.format,
    { codec: 'PCMU', otherPayloadTypes: [112], isMixed: true },
    'only timestamps tell its length',
  );
  const wide = sdp('m=audio 3 RTP/AVP 11', 'a=ptime:20');
  t.match(negotiated(offer, wide, 'OFFERER'), { fault: 'NO_COMMON_CODEC' }, 'payload type 11 is L16 at 44.1 kHz');
  t.end();
});

t.test('audio codecs, digits and noise', (t) => {
  const rows: [string, Partial<AudioFormat> | string, Partial<AudioFormat> | string][] = [
    ['G722 by its number only', audioOf('m=audio 1 RTP/AVP 9'), { codec: 'G722', sendPayloadType: 9 }],
    [
      'a number that means something else here',
      audioOf('m=audio 1 RTP/AVP 9 0', 'a=rtpmap:9 G729/8000', 'a=rtpmap:0 opus/48000/2'),
      { codec: 'OPUS', sendPayloadType: 0 },
    ],
    ['Opus in mono is no Opus', audioOf('m=audio 1 RTP/AVP 96', 'a=rtpmap:96 opus/48000'), 'NO_COMMON_CODEC'],
    [
      'digits at the clock of the codec',
      audioOf('m=audio 1 RTP/AVP 0 96 97', 'a=rtpmap:96 telephone-event/48000', 'a=rtpmap:97 telephone-event/8000'),
      { codec: 'PCMU', telephoneEvent: { sendPayloadType: 97, receivePayloadType: 97, clockRateHz: 8000 } },
    ],
    [
      'digits at another clock only',
      audioOf('m=audio 1 RTP/AVP 96 97', 'a=rtpmap:96 opus/48000/2', 'a=rtpmap:97 telephone-event/8000'),
      { codec: 'OPUS', telephoneEvent: { sendPayloadType: 97, receivePayloadType: 97, clockRateHz: 8000 } },
    ],
    [
      'digits at either clock: that of the codec is taken',
      audioOf(
        ...['m=audio 1 RTP/AVP 96 97 98', 'a=rtpmap:96 opus/48000/2'],
        ...['a=rtpmap:97 telephone-event/8000', 'a=rtpmap:98 telephone-event/48000'],
      ),
      { codec: 'OPUS', telephoneEvent: { sendPayloadType: 98, receivePayloadType: 98, clockRateHz: 48_000 } },
    ],
    ['comfort noise', audioOf('m=audio 1 RTP/AVP 0 13'), { comfortNoisePayloadType: 13 }],
    [
      'not beside Opus',
      audioOf('m=audio 1 RTP/AVP 96 13', 'a=rtpmap:96 opus/48000/2'),
      { comfortNoisePayloadType: null },
    ],
  ];
  for (const [what, actual, expected] of rows) t.match(actual, expected, what);
  const opus = offerSdp({ ...US, streams: [{ ...AUDIO, codecs: ['OPUS'] }] });
  t.match(
    opus,
    /a=rtpmap:110 telephone-event\/48000\r\n[\s\S]*a=rtpmap:101 telephone-event\/8000/,
    'offered at both clocks',
  );
  const slow = sdp('m=audio 3 RTP/AVP 111 101', 'a=rtpmap:111 opus/48000/2', 'a=rtpmap:101 telephone-event/8000');
  t.match(
    agreed(opus, slow, 'OFFERER')[0]?.format,
    { codec: 'OPUS', telephoneEvent: { sendPayloadType: 101, receivePayloadType: 101, clockRateHz: 8000 } },
    'a far end may take the one at 8000 (RFC 3264, 6.1)',
  );
  const quiet = offerSdp({ ...US, streams: [{ ...AUDIO, codecs: ['PCMU'], telephoneEvent: false }] });
  t.equal(quiet.includes('telephone-event'), false, 'offered when told to');
  const answer = textOf(
    answerSdp(sdp('m=audio 1 RTP/AVP 8 101', 'a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-11'), {
      ...US,
      streams: [{ ...AUDIO, codecs: ['PCMA'], telephoneEvent: false }],
    }),
  );
  t.match(answer, /a=fmtp:101 0-15/, 'answered always');
  const numbers = agreed(
    sdp('m=audio 1 RTP/AVP 0 96', 'a=rtpmap:96 telephone-event/8000'),
    sdp('m=audio 3 RTP/AVP 0 101', 'a=rtpmap:101 telephone-event/8000'),
    'OFFERER',
  );
  t.match(numbers[0]?.format, { telephoneEvent: { sendPayloadType: 101, receivePayloadType: 96 } });
  const all = '0123456789*#ABCD';
  const keys: [string, string | undefined][] = [
    ['0-11', all.slice(0, 12)],
    ['0-9, 11 ,32-36', '0123456789#'],
    ['32', ''],
    ['0-15', undefined],
    ['0-16,32', undefined],
    ['rate=8000', undefined],
  ];
  for (const [listed, taken] of keys) {
    const event = ['a=rtpmap:101 telephone-event/8000', `a=fmtp:101 ${listed}`];
    const [stream] = agreed(
      sdp('m=audio 1 RTP/AVP 0 101', ...event),
      sdp('m=audio 3 RTP/AVP 0 101', ...event),
      'OFFERER',
    );
    const { telephoneEvent } = stream!.format as AudioFormat;
    t.equal(telephoneEvent?.keys, taken, listed);
  }
  t.end();
});

t.test('video codecs', (t) => {
  const h264 = (parameters: string) =>
    videoOf('m=video 1 RTP/AVPF 99', 'a=rtpmap:99 H264/90000', ...(parameters ? [`a=fmtp:99 ${parameters}`] : []));
  const rows: [string, VideoFormat | string, object | string][] = [
    ['no parameters: baseline, single packets', h264(''), { codec: 'H264', packetizationMode: 0 }],
    ['any order and case', h264('Packetization-Mode=1; profile-level-id=42E01F'), { packetizationMode: 1 }],
    ['high', h264('profile-level-id=640c1f;packetization-mode=1'), { packetizationMode: 1 }],
    ['interleaved', h264('packetization-mode=2'), 'NO_COMMON_CODEC'],
    ['a profile that plays no baseline', h264('profile-level-id=2c001e'), 'NO_COMMON_CODEC'],
    ['no profile', h264('profile-level-id=xyz'), 'NO_COMMON_CODEC'],
    ['VP8 has no modes', videoOf('m=video 1 RTP/AVP 99', 'a=rtpmap:99 vp8/90000'), { codec: 'VP8' }],
  ];
  for (const [what, actual, expected] of rows) t.match(actual, expected, what);
  const several = sdp(
    'm=video 1 RTP/AVPF 97 98',
    'a=rtpmap:97 H264/90000',
    'a=fmtp:97 profile-level-id=640c1f;packetization-mode=1',
    'a=rtpmap:98 H264/90000',
    'a=fmtp:98 profile-level-id=4de01f;packetization-mode=1',
  );
  const answer = sdp(
    'm=video 1 RTP/AVPF 120',
    'a=rtpmap:120 H264/90000',
    'a=fmtp:120 profile-level-id=42e00a;packetization-mode=1',
  );
  t.match(
    agreed(several, answer, 'OFFERER')[0]?.format,
    { sendPayloadType: 120, receivePayloadType: 98 },
    'main with the constraints of baseline is constrained baseline',
  );
  const plain = sdp(
    'm=video 1 RTP/AVPF 120',
    'a=rtpmap:120 H264/90000',
    'a=fmtp:120 packetization-mode=1;profile-level-id=42001f',
  );
  t.match(
    agreed(several, plain, 'OFFERER')[0]?.format,
    { sendPayloadType: 120, receivePayloadType: 98 },
    'baseline and constrained baseline are one',
  );
  const rich = sdp(
    'm=video 1 RTP/AVPF 97',
    'a=rtpmap:97 H264/90000',
    'a=fmtp:97 sprop-parameter-sets=Z0IAKeKQ,aM48gA==;max-mbps=40500;profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1',
  );
  t.match(
    textOf(answerSdp(rich, US)),
    'a=fmtp:97 profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1\r\n',
    'what the peer says only of itself is not answered',
  );
  const other = sdp('m=video 1 RTP/AVPF 120', 'a=rtpmap:120 H264/90000');
  t.match(negotiated(several, other, 'OFFERER'), { fault: 'NO_COMMON_CODEC' }, 'another mode is another format');
  const opus = sdp('m=video 1 RTP/AVPF 120', 'a=rtpmap:120 opus/48000/2');
  t.match(answerSdp(opus, US), { fault: 'NO_COMMON_CODEC' }, 'audio is no video');
  t.end();
});

t.test('a file in H.264 is offered as what it is, and sent to an end that accepts it (RFC 6184, 8.2.2)', (t) => {
  const high: H264Stream = { profileLevelId: '640028', modes: [1] };
  const plain: H264Stream = { profileLevelId: '42c00d', modes: [1, 0] };
  const us = (h264: H264Stream | null, direction: LocalVideo['direction'] = 'sendrecv'): LocalSession => ({
    ...US,
    streams: [{ ...VIDEO, codecs: ['H264'], h264, direction }],
  });
  const asymmetric = ';level-asymmetry-allowed=1';
  const offers: [string, LocalSession, string[]][] = [
    ['profile and level of the file', us(high), [`97 profile-level-id=640028;packetization-mode=1${asymmetric}`]],
    [
      'no less than what we take',
      us(plain),
      [0, 1].map((i) => `${97 + i} profile-level-id=42c01f;packetization-mode=${1 - i}${asymmetric}`),
    ],
    [
      'a send-only stream names its formats',
      us({ ...plain, modes: [0] }, 'sendonly'),
      [`98 profile-level-id=42c00d;packetization-mode=0${asymmetric}`],
    ],
  ];
  for (const [what, local, lines] of offers)
    t.same(
      linesOf(offerSdp(local), 'a=fmtp').map((line) => line.slice(7)),
      lines,
      what,
    );

  const described = (parameters: string) =>
    sdp('m=video 1 RTP/AVPF 99', 'a=rtpmap:99 H264/90000', `a=fmtp:99 ${parameters}`);
  const taken = (local: LocalSession, answer: string): string | undefined => {
    const [stream] = agreed(offerSdp(local), described(answer), 'OFFERER');
    return (stream!.format as VideoFormat).profileLevelId;
  };
  const answers: [string, LocalSession, string, string][] = [
    ['the same', us(high), 'profile-level-id=640028;packetization-mode=1', '640028'],
    ['a lower level', us(high), 'profile-level-id=64001f;packetization-mode=1', '64001f'],
    ['a higher one: no more than was offered', us(high), 'profile-level-id=640033;packetization-mode=1', '640028'],
    ['a higher one, asymmetry', us(high), `profile-level-id=640033;packetization-mode=1${asymmetric}`, '640033'],
    ['none named', us(plain), 'packetization-mode=0', '42000a'],
  ];
  for (const [what, local, answer, expected] of answers) t.equal(taken(local, answer), expected, what);

  const cases: [string, H264Stream, string, 0 | 1, RegExp | null][] = [
    ['as it is', high, '640028', 1, null],
    ['more', high, '640033', 1, null],
    ['a lower level', high, '64001f', 1, /level 4 \(.*640028\).*no more than level 3\.1 \(64001f; RFC 6184/],
    ['a lower profile', high, '4d0028', 1, /another profile \(4d0028\)/],
    ['a higher profile', high, '6e0028', 1, null],
    ['slices too large', high, '640028', 0, /packetization-mode 0/],
    ['every profile plays constrained baseline', plain, '58000d', 0, null],
    ['level 1b is below 1.1', { ...plain, profileLevelId: '42c00b' }, '42f00b', 1, /level 1\.1 .*level 1b/],
    ['level 1b of high is 9', { ...plain, profileLevelId: '42f00b' }, '640009', 1, null],
    ['extended is not main', plain, '58e01f', 1, null],
    ['main is not extended', { ...plain, profileLevelId: '4d400d' }, '58001f', 1, /another profile/],
  ];
  for (const [what, stream, most, mode, reason] of cases) {
    const found = unplayableH264(stream, most, mode);
    if (reason === null) t.equal(found, null, what);
    else t.match(found, reason, what);
  }

  const several = sdp(
    'm=video 1 RTP/AVPF 96 97 98',
    'a=rtpmap:96 H264/90000',
    'a=fmtp:96 profile-level-id=42e01f;packetization-mode=1',
    'a=rtpmap:97 H264/90000',
    'a=fmtp:97 profile-level-id=64001f;packetization-mode=1',
    'a=rtpmap:98 H264/90000',
    'a=fmtp:98 profile-level-id=640032;packetization-mode=1',
  );
  t.match(textOf(answerSdp(several, us(high))), /^m=video 4002 RTP\/AVPF 98\r$/m, 'the first that carries it');
  t.match(
    textOf(answerSdp(several, us(high, 'recvonly'))),
    /^m=video 4002 RTP\/AVPF 96\r$/m,
    'a receive-only stream accepts any format',
  );
  t.match(answerSdp(described('profile-level-id=42e01f;packetization-mode=1'), us(high)), {
    fault: 'NO_COMMON_CODEC',
    reason: /640028.*another profile/,
  });
  t.end();
});

t.test('one port for RTP and RTCP', (t) => {
  const muxing = { ...US, rtcpMux: true, streams: [AUDIO] };
  const low = sdp('m=audio 6000 RTP/AVP 72', 'a=rtpmap:72 PCMU/8000', 'a=rtcp-mux');
  const answer = textOf(answerSdp(low, muxing));
  t.notMatch(answer, 'a=rtcp-mux', 'not with a payload type that could be RTCP (RFC 5761, 4)');
  t.match(agreed(low, answer, 'ANSWERER'), [{ rtcpPort: 6001 }]);
  const bad = sdp('m=audio 6000 RTP/AVP 72', 'a=rtpmap:72 PCMU/8000', 'a=rtcp-mux');
  t.match(negotiated(offerSdp(muxing), bad, 'OFFERER'), { fault: 'MISMATCH', reason: /72/ });
  const ok = textOf(answerSdp(offerSdp(muxing), muxing));
  t.match(agreed(offerSdp(muxing), ok, 'OFFERER'), [{ rtpPort: 4000, rtcpPort: 4000 }]);
  t.end();
});

t.test('a session of two streams that is changed', (t) => {
  const first = textOf(answerSdp(offerSdp(THEM), US));
  const held = THEM.streams.map((stream) => ({ ...stream, direction: 'sendonly' as const }));
  const answer = textOf(answerAgain(first, offerSdp({ ...THEM, streams: held }), US));
  t.match(answer, /o=- 3000 2 /);
  t.same(linesOf(answer, 'a=recvonly').length, 2);
  const noVideo = offerSdp(THEM).replace('m=video 4002', 'm=video 0');
  const without = textOf(answerAgain(answer, noVideo, US));
  t.match(linesOf(without), ['m=audio 4000', 'm=video 0']);
  t.match(
    linesOf(
      textOf(
        answerAgain(
          answer,
          sdp('m=audio 4000 RTP/AVP 0', 'm=video 4002 RTP/AVPF 96', 'a=rtpmap:96 VP8/90000', 'm=audio 4004 RTP/AVP 0'),
          US,
        ),
      ),
    ),
    ['m=audio 4000', 'm=video 4002', 'm=audio 0'],
  );
  t.equal(
    offerAgain(answer, { ...US, streams: US.streams.map((s) => ({ ...s, direction: 'recvonly' as const })) }),
    answer,
  );
  t.match(offerAgain(answer, US), /o=- 3000 3 [\s\S]*a=sendrecv[\s\S]*a=sendrecv/);
  t.equal(textOf(answerAgain(first, offerSdp(THEM), US)), first, 'nothing changed');
  t.match(
    textOf(answerAgain(first, offerSdp({ ...THEM, streams: [{ ...AUDIO, codecs: ['G722'] }, VIDEO] }), US)),
    /m=audio 4000 RTP\/AVP 9 101\r/,
    'what was not taken at first may be taken later',
  );
  t.end();
});

t.test('a stream that was declined or given up comes back (RFC 3264, 8.1)', (t) => {
  const places = (text: string | SdpFault): string[] => linesOf(textOf(text), 'm=').map((line) => line.slice(0, 12));
  const audio = 'm=audio 4000 RTP/AVP 0';
  const video = ['m=video 4002 RTP/AVPF 96', 'a=rtpmap:96 VP8/90000'];
  const alone = textOf(answerSdp(sdp(audio), US));
  const given = textOf(answerSdp(sdp(audio, 'm=video 0 RTP/AVPF 96'), US));
  const both = textOf(answerSdp(offerSdp(THEM), US));
  const cases: [what: string, text: string | SdpFault, expected: string[]][] = [
    ['offered after the others', answerAgain(alone, sdp(audio, ...video), US), ['m=audio 4000', 'm=video 4002']],
    ['offered where it was given up', answerAgain(given, sdp(audio, ...video), US), ['m=audio 4000', 'm=video 4002']],
    [
      'moved to another place',
      answerAgain(both, sdp(audio, 'm=video 0 RTP/AVPF 96', ...video), US),
      ['m=audio 4000', 'm=video 0 RT', 'm=video 4002'],
    ],
    [
      'one of ours meets one of theirs',
      answerAgain(both, sdp(audio, ...video, 'm=video 4006 RTP/AVPF 96', 'a=rtpmap:96 VP8/90000'), US),
      ['m=audio 4000', 'm=video 4002', 'm=video 0 RT'],
    ],
    ['our offer puts it after the others', offerAgain(alone, US, 'VIDEO'), ['m=audio 4000', 'm=video 4002']],
    ['or where it was given up', offerAgain(given, US, 'VIDEO'), ['m=audio 4000', 'm=video 4002']],
    ['unless it is there', offerAgain(both, US, 'VIDEO'), ['m=audio 4000', 'm=video 4002']],
    ['not unasked', offerAgain(given, US), ['m=audio 4000', 'm=video 0 RT']],
  ];
  for (const [what, text, expected] of cases) t.same(places(text), expected, what);
  const offer = textOf(offerAgain(given, US, 'VIDEO'));
  t.match(offer, /^o=- 3000 2 /m);
  t.match(agreed(offer, textOf(answerSdp(offer, THEM)), 'OFFERER'), [
    { localPort: 4000 },
    { index: 1, localPort: 4002 },
  ]);
  t.equal(textOf(offerAgain(offer, US, 'VIDEO')), offer, 'word for word the same once it stands');
  t.end();
});

t.test('an offer that the peer asks for has all formats, and keeps numbers that are in use', (t) => {
  const local = { ...US, streams: [{ ...AUDIO, codecs: ['PCMU', 'PCMA', 'OPUS'] as const }] };
  const rows: [string, string[], string, string[]][] = [
    ['one codec', ['m=audio 1 RTP/AVP 0'], '0 8 111 101 110', []],
    ['one that is not our first', ['m=audio 1 RTP/AVP 8'], '8 0 111 101 110', []],
    [
      'numbers of the peer',
      ['m=audio 1 RTP/AVP 111 110', 'a=rtpmap:111 PCMA/8000', 'a=rtpmap:110 telephone-event/8000'],
      '111 0 96 110 97',
      ['a=rtpmap:96 opus/48000/2', 'a=rtpmap:97 telephone-event/48000', 'a=rtpmap:110 telephone-event/8000'],
    ],
    ['noise', ['m=audio 1 RTP/AVP 0 13'], '0 8 111 13 101 110', []],
  ];
  for (const [what, lines, formats, maps] of rows) {
    const current = textOf(answerSdp(sdp(...lines), local));
    const offer = textOf(offerAnew(current, local));
    t.same(linesOf(offer)[0]?.split(' ').slice(3).join(' '), formats, what);
    for (const map of maps) t.ok(offer.includes(map), `${what}: ${map}`);
    t.not(linesOf(offer, 'o=')[0], linesOf(current, 'o=')[0]);
    t.equal(textOf(offerAnew(offer, local)), offer, 'a refresh changes nothing');
    t.same(
      linesOf(textOf(offerAgain(current, local)))[0],
      linesOf(current)[0],
      'what we offer of our own accord is the same as before',
    );
  }
  t.end();
});
