/** Offers and answers with one audio stream (RFC 3264, RFC 4566): what is written, read and agreed on. */
import t from 'tap';
import {
  agreed,
  answerAgain,
  LOCAL,
  offerAgain,
  one,
  PEER,
  parsed,
  peer,
  sdp,
  textOf,
} from '../testing/sdp-sessions.ts';
import { answerSdp } from './answer.ts';
import { addressFault } from './media-address.ts';
import { negotiated } from './negotiated.ts';
import { offerSdp } from './offer.ts';
import { PACKET_TIMES_MS, packetTimeMs } from './packet-time.ts';
import { parseSdp } from './parse.ts';
import type { Direction, SdpFault } from './session-description.ts';

t.test('an offer, word for word', (t) => {
  t.equal(
    offerSdp(LOCAL),
    'v=0\r\no=- 3000 1 IN IP4 192.0.2.1\r\ns=-\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0 8\r\nc=IN IP4 192.0.2.1\r\n' +
      'a=rtpmap:0 PCMU/8000\r\na=rtpmap:8 PCMA/8000\r\na=ptime:20\r\na=sendrecv\r\na=rtcp-xr:voip-metrics\r\n',
  );
  const odd = offerSdp(
    one({
      address: '2001:db8::1',
      rtcpPort: 4444,
      rtcpMux: false,
      direction: 'sendonly',
      codecs: ['PCMA'],
    }),
  );
  t.match(odd, /o=- 3000 1 IN IP6 2001:db8::1\r\n/);
  t.match(odd, /c=IN IP6 2001:db8::1\r\n/);
  t.match(odd, /a=sendonly\r\na=rtcp:4444\r\na=rtcp-xr:voip-metrics\r\n$/);
  t.match(offerSdp(one({ rtcpPort: 4000, rtcpMux: true })), /a=sendrecv\r\na=rtcp-mux\r\na=rtcp-xr/);
  t.end();
});

t.test('what is read, however it is written', (t) => {
  const one = (...lines: string[]) => parsed(sdp(...lines)).media[0];
  const rows: [string, object | undefined, object][] = [
    [
      'session level',
      one('c=IN IP4 192.0.2.5', 'a=recvonly', 'a=ptime:30', 'm=audio 1 RTP/AVP 0'),
      { address: '192.0.2.5', direction: 'recvonly', packetMs: 30 },
    ],
    [
      'media level comes first',
      one('c=IN IP4 192.0.2.5', 'a=recvonly', 'm=audio 1 RTP/AVP 0', 'c=IN IP4 192.0.2.6/127', 'a=sendonly'),
      { address: '192.0.2.6', direction: 'sendonly' },
    ],
    [
      'no direction',
      one('m=audio 1 RTP/AVP 0'),
      { direction: 'sendrecv', address: null, rtcpPort: null, packetMs: null },
    ],
    [
      'static payload types',
      one('m=audio 1 RTP/AVP 0 8 9 18 101'),
      {
        formats: [
          { encoding: 'PCMU' },
          { encoding: 'PCMA' },
          { encoding: 'G722', clockRate: 8000 },
          { encoding: 'G729' },
        ],
      },
    ],
    [
      'rtpmap over static',
      one('m=audio 1 RTP/AVP 0', 'a=rtpmap:0 opus/48000/2', 'a=fmtp:0 useinbandfec=1; stereo=1'),
      {
        formats: [
          { payloadType: 0, encoding: 'OPUS', clockRate: 48_000, channels: 2, parameters: 'useinbandfec=1; stereo=1' },
        ],
      },
    ],
    [
      'rtcp and mux',
      one('m=audio 1 RTP/AVP 0', 'a=rtcp:53020 IN IP4 126.16.64.4', 'a=rtcp-mux'),
      { rtcpPort: 53_020, rtcpMux: true },
    ],
    ['several ports', one('m=audio 49170/2 RTP/AVP 0'), { port: 49_170 }],
    ['a broken ptime', one('m=audio 1 RTP/AVP 0', 'a=ptime:x', 'a=maxptime:40.0'), { packetMs: null, maxPacketMs: 40 }],
    ['a broken rtpmap', one('m=audio 1 RTP/AVP 97', 'a=rtpmap:97 X/y', 'a=rtpmap:x'), { formats: [] }],
    ['legacy hold', one('c=IN IP4 0.0.0.0', 'm=audio 1 RTP/AVP 0'), { direction: 'sendonly' }],
    [
      'legacy hold of what receives only',
      one('c=IN IP4 0.0.0.0', 'm=audio 1 RTP/AVP 0', 'a=recvonly'),
      { direction: 'inactive' },
    ],
    ['IPv6', one('m=audio 1 RTP/AVP 0', 'c=IN IP6 2001:db8::10'), { address: '2001:db8::10' }],
    ['not RTP', one('m=image 1 udptl t38'), { kind: 'image', formatTokens: ['t38'], formats: [] }],
    ['unknown lines and attributes', one('z=0 0', 'x', '', 'm=audio 1 RTP/AVP 0', 'a=silly:walk', 'y=?'), { port: 1 }],
  ];
  for (const [what, actual, expected] of rows) t.match(actual, expected, what);
  const media = parsed(sdp('m=video 0 RTP/AVP 96', 'm=audio 7 RTP/AVP 0', 'a=inactive')).media;
  t.match(
    media,
    [
      { kind: 'video', port: 0, direction: 'sendrecv' },
      { kind: 'audio', direction: 'inactive' },
    ],
    'several streams',
  );
  t.same(parsed(sdp('m=audio 1 RTP/AVP 0').replaceAll('\r\n', '\n')).media.length, 1, 'LF');
  t.match(parsed('v=0\r\n'), { origin: { sessionId: '0' }, media: [] });
  for (const bad of [
    '',
    'hello',
    'm=audio 1 RTP/AVP 0',
    sdp('m=audio'),
    sdp('m=audio x RTP/AVP 0'),
    sdp('m=audio 65536 RTP/AVP 0'),
    sdp('m=audio 1 RTP/AVP'),
  ]) {
    t.match(parseSdp(bad), { fault: 'SYNTAX' }, JSON.stringify(bad.slice(-24)));
  }
  t.end();
});

t.test('an answer has a line for each line of the offer', (t) => {
  const offer = sdp(
    'c=IN IP4 192.0.2.9',
    'm=audio 0 RTP/AVP 0',
    'm=video 6000 RTP/AVP 96',
    'a=rtpmap:96 VP8/90000',
    'm=audio 6002 RTP/SAVP 0',
    'm=audio 6004 RTP/AVP 9 107 0',
    'a=rtpmap:107 PCMA/8000',
    'a=sendonly',
    'a=rtcp-mux',
    'm=audio 6006 RTP/AVP 0',
    'm=image 6008 udptl t38',
  );
  const answer = textOf(answerSdp(offer, one({ rtcpMux: true })));
  const lines = answer.split('\r\n').filter((line) => /^[mca]/.test(line));
  t.same(lines, [
    // For rejected streams, which have no address (RFC 8866, 5.7).
    'c=IN IP4 192.0.2.1',
    'm=audio 0 RTP/AVP 0',
    'm=video 0 RTP/AVP 96',
    'm=audio 0 RTP/SAVP 0',
    'm=audio 4000 RTP/AVP 107',
    'c=IN IP4 192.0.2.1',
    'a=rtpmap:107 PCMA/8000',
    'a=ptime:20',
    'a=recvonly',
    'a=rtcp-mux',
    'm=audio 0 RTP/AVP 0',
    'm=image 0 udptl t38',
  ]);
  const rows: [Direction, Direction, Direction][] = [
    ['sendrecv', 'sendrecv', 'sendrecv'],
    ['sendonly', 'sendrecv', 'recvonly'],
    ['recvonly', 'sendrecv', 'sendonly'],
    ['inactive', 'sendrecv', 'inactive'],
    ['sendrecv', 'sendonly', 'sendonly'],
    ['sendonly', 'sendonly', 'inactive'],
  ];
  for (const [theirs, ours, expected] of rows) {
    const text = textOf(answerSdp(offerSdp(peer({ direction: theirs })), one({ direction: ours })));
    t.match(text, new RegExp(`a=${expected}\r\n`), `${theirs} meets ${ours}`);
  }
  t.match(answerSdp(sdp('m=audio 1 RTP/AVP 9 18'), LOCAL), {
    fault: 'NO_COMMON_CODEC',
    reason: /G722\/8000, G729\/8000.*PCMU\/8000, PCMA\/8000/,
  });
  t.match(answerSdp(sdp('m=video 1 RTP/AVP 96'), LOCAL), { fault: 'NO_AUDIO' });
  t.match(answerSdp(sdp('m=audio 1 RTP/SAVP 0'), LOCAL), { fault: 'ENCRYPTED' });
  t.match(answerSdp(sdp('m=audio 1 TCP/RTP/AVP 0'), LOCAL), { fault: 'NO_AUDIO' });
  t.match(answerSdp('', LOCAL), { fault: 'SYNTAX' });
  t.end();
});

const REST = { ice: null, kind: 'AUDIO', telephoneEvent: null, comfortNoisePayloadType: null };

t.test('what both ends agree on', (t) => {
  const asymmetric = sdp(
    'c=IN IP4 192.0.2.9',
    'm=audio 6000 RTP/AVP 97 98',
    'a=rtpmap:97 PCMA/8000',
    'a=rtpmap:98 PCMU/8000',
    'a=rtcp:7001',
    'a=ptime:30',
    'a=maxptime:20',
  );
  const answer = sdp('m=audio 5000 RTP/AVP 8', 'c=IN IP6 2001:db8::2', 'a=recvonly');
  t.same(agreed(asymmetric, answer, 'OFFERER'), {
    address: '2001:db8::2',
    rtpPort: 5000,
    rtcpPort: 5001,
    codec: 'PCMA',
    sendPayloadType: 8,
    receivePayloadType: 97,
    otherPayloadTypes: [],
    packetMs: 20,
    direction: 'sendonly',
    ...REST,
  });
  t.same(agreed(asymmetric, answer, 'ANSWERER'), {
    address: '192.0.2.9',
    rtpPort: 6000,
    rtcpPort: 7001,
    codec: 'PCMA',
    sendPayloadType: 97,
    receivePayloadType: 8,
    otherPayloadTypes: [],
    packetMs: 20,
    direction: 'recvonly',
    ...REST,
  });
  const muxed = offerSdp(one({ rtcpMux: true }));
  t.equal(agreed(muxed, textOf(answerSdp(muxed, peer({ rtcpMux: true }))), 'OFFERER').rtcpPort, 5000);
  t.equal(agreed(muxed, textOf(answerSdp(muxed, PEER)), 'OFFERER').rtcpPort, 5001, 'mux only if it was answered');
  const offer = offerSdp(LOCAL);
  const rows: [string, string][] = [
    ['SYNTAX', 'x'],
    ['MISMATCH', sdp()],
    ['MISMATCH', sdp('m=video 1 RTP/AVP 0')],
    ['REJECTED', sdp('m=audio 0 RTP/AVP 0')],
    ['NO_COMMON_CODEC', sdp('c=IN IP4 192.0.2.9', 'm=audio 1 RTP/AVP 9')],
    ['NO_ADDRESS', sdp('m=audio 1 RTP/AVP 0')],
    ['NO_ADDRESS', sdp('c=IN IP4 media.example', 'm=audio 1 RTP/AVP 0')],
    ['NO_ADDRESS', sdp('c=IN IP4 192.0.2.999', 'm=audio 1 RTP/AVP 0')],
    ['NO_ADDRESS', sdp('c=IN', 'm=audio 1 RTP/AVP 0')],
    ['NO_ADDRESS', sdp('c=IN IP4 255.255.255.255', 'm=audio 1 RTP/AVP 0')],
    ['MULTICAST', sdp('c=IN IP4 224.2.36.42/127', 'm=audio 1 RTP/AVP 0')],
    ['MULTICAST', sdp('c=IN IP6 FF15::101/3', 'm=audio 1 RTP/AVP 0')],
  ];
  for (const [fault, answer] of rows) t.match(negotiated(offer, answer, 'OFFERER'), { fault }, fault);
  t.match(negotiated(sdp('m=image 1 udptl t38'), sdp('m=image 1 udptl t38'), 'OFFERER'), { fault: 'NO_AUDIO' });
  t.end();
});

t.test('an answer as far as addresses are judged', (t) => {
  const judge = (address: string | null): SdpFault | null =>
    addressFault(address) ?? (address === '192.0.2.66' ? { fault: 'FORBIDDEN', reason: address } : null);
  const judging = { ...LOCAL, judge };
  const rows: [string | null, string, ...string[]][] = [
    ['NO_ADDRESS', 'no c= line', 'm=audio 1 RTP/AVP 0'],
    ['NO_ADDRESS', 'a name', 'c=IN IP4 media.example', 'm=audio 1 RTP/AVP 0'],
    ['MULTICAST', 'a group', 'c=IN IP4 239.1.2.3/127', 'm=audio 1 RTP/AVP 0'],
    ['FORBIDDEN', 'what the judge says', 'm=audio 1 RTP/AVP 0', 'c=IN IP4 192.0.2.66'],
    [null, 'a hold of the old kind', 'c=IN IP4 0.0.0.0', 'm=audio 1 RTP/AVP 0'],
    [
      null,
      'the next that can be used',
      'c=IN IP4 192.0.2.9',
      'm=audio 1 RTP/AVP 0',
      'c=IN IP4 x',
      'm=audio 3 RTP/AVP 0',
    ],
  ];
  for (const [fault, what, ...lines] of rows) {
    const answer = answerSdp(sdp(...lines), judging);
    if (fault === null) t.type(answer, 'string', what);
    else t.match(answer, { fault }, what);
    t.type(answerSdp(sdp(...lines), LOCAL), 'string', 'nobody who sends nothing asks');
  }
  t.end();
});

t.test('codecs that differ only in their clock are distinguished', (t) => {
  const offer = sdp('c=IN IP4 192.0.2.9', 'm=audio 1 RTP/AVP 0', 'a=rtpmap:0 PCMU/16000');
  t.match(answerSdp(offer, LOCAL), { reason: 'offered are PCMU/16000, ours are PCMU/8000, PCMA/8000' });
  t.end();
});

t.test('where RTCP goes', (t) => {
  const rtcpPort = (...lines: string[]) =>
    agreed(offerSdp(LOCAL), sdp('c=IN IP4 192.0.2.9', ...lines), 'OFFERER').rtcpPort;
  t.equal(rtcpPort('m=audio 65535 RTP/AVP 0'), null, 'above the last port is none');
  t.equal(rtcpPort('m=audio 65535 RTP/AVP 0', 'a=rtcp:65535'), 65_535);
  t.equal(rtcpPort('m=audio 6000 RTP/AVP 0', 'a=rtcp:0'), null);
  t.equal(rtcpPort('m=audio 6000 RTP/AVP 0', 'a=rtcp:99999'), 6001, 'what is no port says nothing');
  t.end();
});

t.test('an address that names nobody is a hold', (t) => {
  for (const address of ['IP4 0.0.0.0', 'IP6 ::']) {
    const answer = sdp(`c=IN ${address}`, 'm=audio 6000 RTP/AVP 0');
    t.match(agreed(offerSdp(LOCAL), answer, 'OFFERER'), { address: null, direction: 'recvonly' });
  }
  t.end();
});

t.test('all codecs that were agreed on may come', (t) => {
  const offer = sdp('c=IN IP4 192.0.2.9', 'm=audio 6000 RTP/AVP 0 98 101', 'a=rtpmap:98 PCMA/8000');
  const answer = sdp('c=IN IP4 192.0.2.8', 'm=audio 6000 RTP/AVP 8 0');
  t.match(agreed(offer, answer, 'OFFERER'), { codec: 'PCMA', receivePayloadType: 98, otherPayloadTypes: [0] });
  t.match(agreed(offer, answer, 'ANSWERER'), { codec: 'PCMA', receivePayloadType: 8, otherPayloadTypes: [0] });
  t.end();
});

t.test('packet times are those that stand ready', (t) => {
  const rows: [wish: number, most: number, expected: number][] = [
    [20, 1000, 20],
    [1, 1000, 10],
    [15, 1000, 10],
    [24, 1000, 20],
    [37, 1000, 40],
    [59, 1000, 60],
    [1000, 1000, 60],
    [30, 25, 20],
    [20, 5, 10],
  ];
  for (const [wish, most, expected] of rows) t.equal(packetTimeMs(wish, most), expected, `${wish}, at most ${most}`);
  const answer = sdp('c=IN IP4 192.0.2.9', 'm=audio 6000 RTP/AVP 0', 'a=ptime:47');
  t.ok(PACKET_TIMES_MS.includes(agreed(offerSdp(LOCAL), answer, 'OFFERER').packetMs));
  t.end();
});

t.test('a session that is changed', (t) => {
  const first = offerSdp(LOCAL);
  const unchanged = textOf(answerAgain(first, offerSdp(PEER), 'sendrecv'));
  t.match(unchanged, /o=- 3000 2 /, 'an answer with one codec is another description than the offer with two');
  t.equal(
    answerAgain(unchanged, offerSdp(peer({ version: '2', rtpPort: 5100 })), 'sendrecv'),
    unchanged,
    'the peer moved, we did not',
  );
  const held = textOf(answerAgain(unchanged, offerSdp(peer({ direction: 'sendonly' })), 'sendrecv'));
  t.match(held, /o=- 3000 3 [\s\S]*a=recvonly/);
  t.match(answerAgain(held, offerSdp(PEER), 'sendrecv'), /o=- 3000 4 [\s\S]*a=sendrecv/, 'resumed');
  t.match(
    answerAgain(held.replace('3000 3', '3000 18446744073709551615'), offerSdp(PEER), 'sendrecv'),
    /3000 18446744073709551616/,
    '64 bits and more',
  );
  const receiving = textOf(answerAgain(unchanged, offerSdp(PEER), 'recvonly'));
  t.match(receiving, /a=recvonly/, 'one that never sends does not begin to');
  t.match(offerAgain(held, 'sendrecv'), /o=- 3000 4 [\s\S]*a=sendrecv/, 'our own offer ends a hold');
  t.equal(offerAgain(unchanged, 'sendrecv'), unchanged);
  const two = textOf(answerSdp(sdp('m=video 6 RTP/AVP 96', 'm=audio 8 RTP/AVP 0', 'c=IN IP4 192.0.2.9'), LOCAL));
  t.equal(offerAgain(two, 'sendrecv'), two, 'streams that were turned down stay in their places');
  t.match(answerAgain('', offerSdp(PEER), 'sendrecv'), { fault: 'SYNTAX' });
  t.match(answerAgain(sdp('m=image 1 udptl t38'), offerSdp(PEER), 'sendrecv'), { fault: 'NO_AUDIO' });
  t.end();
});
