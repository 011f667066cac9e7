import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { answerAgain, answerSdp, offerAgain } from './answer.ts';
import { keyOf, readCrypto, writeCrypto } from './crypto-line.ts';
import type { LocalSecurity, LocalSession } from './local.ts';
import { negotiated, type Side } from './negotiated.ts';
import { offerSdp } from './offer.ts';
import { parseSdp } from './parse.ts';
import { recall } from './recall.ts';
import { type CryptoLine, isSdpFault, type SdpFault } from './session-description.ts';
import type { SrtpKey, StreamSecurity } from './stream-format.ts';
import { writeSdp } from './write.ts';

const K30 = (letter: string) => letter.repeat(40);
const K28 = (letter: string) => `${letter.repeat(37)}A==`;
const keys = (letter: string): SrtpKey[] => [
  { suite: 'AES_CM_128_HMAC_SHA1_80', keySalt: K30(letter) },
  { suite: 'AES_CM_128_HMAC_SHA1_32', keySalt: K30(letter.toLowerCase()) },
  { suite: 'AEAD_AES_128_GCM', keySalt: K28(letter) },
];
const FINGERPRINT = { hash: 'sha-256', value: Array(32).fill('AB').join(':') };
const OTHER = { hash: 'sha-256', value: Array(32).fill('CD').join(':') };

const end = (security: LocalSecurity, letter: string, more: Partial<LocalSession> = {}): LocalSession => ({
  address: '192.0.2.1',
  sessionId: '1',
  version: '1',
  rtcpMux: false,
  security,
  feedbackProfile: 'AVP',
  streams: [
    {
      kind: 'AUDIO',
      rtpPort: 4000,
      rtcpPort: 4001,
      direction: 'sendrecv',
      keys: keys(letter),
      codecs: ['PCMU'],
      packetMs: 20,
      telephoneEvent: false,
    },
  ],
  ...more,
});
const PLAIN = end({ mode: 'NONE' }, 'P');
const SDES = end({ mode: 'SDES' }, 'S');
const SDES_PEER = end({ mode: 'SDES' }, 'T');
const DTLS = end({ mode: 'DTLS', fingerprint: FINGERPRINT }, 'D');
const DTLS_PEER = end({ mode: 'DTLS', fingerprint: OTHER }, 'E');

const sdp = (...lines: string[]): string =>
  ['v=0', 'o=peer 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', 't=0 0', ...lines, ''].join('\r\n');
const textOf = (result: string | SdpFault): string => {
  if (isSdpFault(result)) throw new Error(result.reason);
  return result;
};
function securityOf(offer: string, answer: string, side: Side): StreamSecurity | null | SdpFault {
  const result = negotiated(offer, answer, side);
  return isSdpFault(result) ? result : (result[0]?.security ?? null);
}

t.test('parameters of a=crypto are read', (t) => {
  const line = (value: string): CryptoLine => readCrypto(value) as CryptoLine;
  t.same(line(`1 AES_CM_128_HMAC_SHA1_80 inline:${K30('k')}|2^20|1:4 FEC_ORDER=FEC_SRTP`), {
    tag: 1,
    suite: 'AES_CM_128_HMAC_SHA1_80',
    keySalt: K30('k'),
    lifetime: 2 ** 20,
    mki: { value: 1, bytes: 4 },
    severalKeys: false,
    sessionParameters: ['FEC_ORDER=FEC_SRTP'],
  });
  t.match(line(`2 aes_cm_128_hmac_sha1_32 inline:${K30('k')}|1:32`), { mki: { value: 1 }, lifetime: null });
  t.match(line(`2 X inline:${K30('k')}|1000`), { suite: 'X', lifetime: 1000 });
  for (const bad of [
    '',
    '1',
    'x AES inline:y',
    '1 AES y',
    '1 AES inline:',
    '1 AES inline:k|z',
    '1234567890 A inline:k',
  ])
    t.equal(readCrypto(bad), null, bad);
  const rows: [string, string, RegExp | null][] = [
    ['of use', `1 AES_CM_128_HMAC_SHA1_80 inline:${K30('k')}|2^31`, null],
    ['a window size hint', `1 AES_CM_128_HMAC_SHA1_32 inline:${K30('k')} WSH=64`, null],
    ['GCM, padded or not', `1 AEAD_AES_128_GCM inline:${K28('k')}`, null],
    ['another suite', `1 AES_256_CM_HMAC_SHA1_80 inline:${'k'.repeat(64)}`, /AES_256_CM_HMAC_SHA1_80 is not known/],
    ['an MKI', `7 AES_CM_128_HMAC_SHA1_80 inline:${K30('k')}|1:4`, /line 7 needs an MKI/],
    ['two keys', `7 AES_CM_128_HMAC_SHA1_80 inline:${K30('k')};inline:${K30('l')}`, /MKI/],
    ['a demand', `7 AES_CM_128_HMAC_SHA1_80 inline:${K30('k')} UNENCRYPTED_SRTP`, /line 7 demands UNENCRYPTED_SRTP/],
    ['a short key', '7 AES_CM_128_HMAC_SHA1_80 inline:kkkk', /line 7 is not 30 bytes/],
    ['no base64', `7 AES_CM_128_HMAC_SHA1_80 inline:${'-'.repeat(40)}`, /base64/],
  ];
  for (const [what, value, reason] of rows) {
    const key = keyOf(line(value));
    if (reason === null) t.type(key, 'object', what);
    else t.match(key, reason, what);
  }
  const text = fc.record({
    tag: fc.nat(999_999_999),
    suite: fc.constantFrom('AES_CM_128_HMAC_SHA1_80', 'OWN'),
    keySalt: fc.constantFrom(K30('q'), 'x', 'a=='),
    lifetime: fc.option(
      fc.oneof(
        fc.integer({ min: 1, max: 48 }).map((n) => 2 ** n),
        fc.nat(),
      ),
    ),
    mki: fc.option(fc.record({ value: fc.nat(), bytes: fc.integer({ min: 1, max: 128 }) })),
    severalKeys: fc.constant(false),
    sessionParameters: fc.array(fc.constantFrom('WSH=64', 'KDR=2', '-X')),
  });
  fc.assert(fc.property(text, (line) => JSON.stringify(readCrypto(writeCrypto(line))) === JSON.stringify(line)));
  fc.assert(fc.property(fc.string(), (any) => readCrypto(any) === null || readCrypto(any) !== undefined));
  t.end();
});

t.test('keys of SDES go both ways', (t) => {
  const offer = offerSdp(SDES);
  t.match(offer, /m=audio 4000 RTP\/SAVP 0\r[\s\S]*a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:S{40}\r\n/);
  t.match(offer, /a=crypto:3 AEAD_AES_128_GCM inline:S{37}A==\r\n/);
  const answer = textOf(answerSdp(offer, SDES_PEER));
  t.equal(answer.split('a=crypto').length, 2, 'one line, of the first suite');
  const [send, receive] = [keys('S')[0], keys('T')[0]];
  t.same(securityOf(offer, answer, 'OFFERER'), { mode: 'SDES', send, receive });
  t.same(securityOf(offer, answer, 'ANSWERER'), { mode: 'SDES', send: receive, receive: send });

  const one = SDES_PEER.streams[0];
  const onlyGcm = { ...SDES_PEER, streams: [{ ...one, keys: keys('T').slice(2) }] } as LocalSession;
  const third = textOf(answerSdp(offer, onlyGcm));
  t.match(third, /a=crypto:3 AEAD_AES_128_GCM/, 'its tag comes back');
  t.match(securityOf(offer, third, 'OFFERER'), { receive: { suite: 'AEAD_AES_128_GCM', keySalt: K28('T') } });

  const held = textOf(answerAgain(answer, offer.replace('sendrecv', 'sendonly'), SDES_PEER));
  t.match(held, /a=recvonly[\s\S]*inline:T{40}\r/, 'a hold keeps the key');
  t.match(offerAgain(answer, SDES_PEER), /inline:T{40}\r/);
  t.same(securityOf(offer, held, 'ANSWERER'), { mode: 'SDES', send: receive, receive: send });
  t.end();
});

t.test('which side opens the DTLS handshake', (t) => {
  const offer = offerSdp(DTLS);
  t.match(offer, /m=audio 4000 UDP\/TLS\/RTP\/SAVP 0\r[\s\S]*a=fingerprint:sha-256 AB:AB:[\s\S]*a=setup:actpass\r\n$/);
  const answer = textOf(answerSdp(offer, DTLS_PEER));
  t.match(answer, /a=setup:active\r\n$/);
  t.same(securityOf(offer, answer, 'OFFERER'), { mode: 'DTLS', role: 'SERVER', fingerprints: [OTHER] });
  t.same(securityOf(offer, answer, 'ANSWERER'), { mode: 'DTLS', role: 'CLIENT', fingerprints: [FINGERPRINT] });
  const rows: [string, string | null][] = [
    ['actpass', 'active'],
    ['active', 'passive'],
    ['passive', 'active'],
    ['holdconn', null],
  ];
  for (const [offered, expected] of rows) {
    const result = answerSdp(offer.replace('setup:actpass', `setup:${offered}`), DTLS_PEER);
    if (expected === null) t.match(result, { fault: 'SETUP' }, offered);
    else t.match(result, `a=setup:${expected}\r\n`, offered);
  }
  const silent = offer.replace('a=setup:actpass\r\n', '');
  t.match(answerSdp(silent, DTLS_PEER), /a=setup:passive/, 'without a=setup the offerer is active (RFC 4145, 4)');
  for (const bad of ['actpass', 'holdconn'])
    t.match(securityOf(offer, answer.replace('active', bad), 'OFFERER'), { fault: 'SETUP' }, `answered ${bad}`);
  const later = (dtlsRole: 'CLIENT' | 'SERVER') =>
    answerAgain(answer, offer, { ...DTLS_PEER, streams: DTLS_PEER.streams.map((stream) => ({ ...stream, dtlsRole })) });
  t.match(later('SERVER'), /a=setup:passive/, 'roles stay');
  t.match(later('CLIENT'), /a=setup:active/);
  t.match(offerAgain(answer, DTLS_PEER), /CD:CD[\s\S]*a=setup:actpass/);
  t.end();
});

t.test('what cannot be used says why', (t) => {
  const savp = (...lines: string[]) => sdp('m=audio 1 RTP/SAVP 0', ...lines);
  const tls = (...lines: string[]) => sdp('m=audio 1 UDP/TLS/RTP/SAVPF 0', ...lines);
  const print = `a=fingerprint:sha-256 ${FINGERPRINT.value}`;
  const crypto = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${K30('k')}`;
  const rows: [LocalSession, string, string, RegExp][] = [
    [SDES, sdp('m=audio 1 RTP/AVP 0'), 'NOT_ENCRYPTED', /plain.*SDES is demanded/],
    [DTLS, sdp('m=audio 1 RTP/AVP 0', print), 'NOT_ENCRYPTED', /DTLS is demanded/],
    [PLAIN, savp(crypto), 'ENCRYPTED', /encrypted with SDES, and plain RTP is wanted/],
    [PLAIN, tls(print), 'ENCRYPTED', /DTLS/],
    [SDES, tls(print), 'ENCRYPTED', /DTLS, and SDES is wanted/],
    [DTLS, savp(crypto), 'ENCRYPTED', /SDES, and DTLS is wanted/],
    [SDES, savp(), 'NO_COMMON_SUITE', /no a=crypto/],
    [SDES, savp('a=crypto:1 F8_128_HMAC_SHA1_80 inline:k', 'a=crypto:junk'), 'NO_COMMON_SUITE', /F8_128/],
    [SDES, savp(`${crypto}|1:4`), 'NO_COMMON_SUITE', /MKI/],
    [DTLS, tls('a=setup:actpass'), 'NO_FINGERPRINT', /no a=fingerprint/],
    [DTLS, tls('a=fingerprint:md5 AB:CD'), 'NO_FINGERPRINT', /md5/],
    [DTLS, tls('a=fingerprint:sha-256 AB:CD'), 'NO_FINGERPRINT', /sha-256/],
    [DTLS, tls(print, 'a=setup:holdconn'), 'SETUP', /holdconn/],
  ];
  for (const [local, offer, fault, reason] of rows) t.match(answerSdp(offer, local), { fault, reason }, `${reason}`);
  t.match(answerSdp(savp(print, 'a=setup:actpass'), DTLS), /RTP\/SAVP/, 'RTP/SAVP may be keyed by DTLS');
  const both = tls('a=fingerprint:sha-999 AB', print.toLowerCase(), 'a=setup:active');
  t.match(securityOf(both, textOf(answerSdp(both, DTLS)), 'ANSWERER'), { fingerprints: [FINGERPRINT] });
  const above = ['v=0', 'o=- 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', print, 'a=setup:active', 't=0 0'];
  t.match(
    answerSdp([...above, 'm=audio 1 UDP/TLS/RTP/SAVP 0', ''].join('\r\n'), DTLS),
    /a=setup:passive/,
    'at session level',
  );

  const offer = offerSdp(SDES);
  const answers: [string, string][] = [
    [sdp('m=audio 1 RTP/AVP 0'), 'NOT_ENCRYPTED'],
    [savp(), 'NO_KEY'],
    [savp(crypto.replace(':1', ':9')), 'NO_COMMON_SUITE'],
    [savp(crypto.replace('_80', '_32')), 'NO_COMMON_SUITE'],
    [savp('a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:short'), 'NO_KEY'],
    [tls(print), 'ENCRYPTED'],
  ];
  for (const [answer, fault] of answers) t.match(securityOf(offer, answer, 'OFFERER'), { fault }, fault);
  t.match(securityOf(offerSdp(PLAIN), savp(crypto), 'OFFERER'), { fault: 'ENCRYPTED' });
  t.match(securityOf(offerSdp(DTLS), tls('a=setup:active'), 'OFFERER'), { fault: 'NO_FINGERPRINT' });
  t.end();
});

t.test('nothing throws, and what is written is read back the same', (t) => {
  const ends = [PLAIN, SDES, DTLS];
  for (const local of ends) {
    const parsed = parseSdp(offerSdp(local));
    t.equal(isSdpFault(parsed) ? parsed.reason : writeSdp(parsed), offerSdp(local));
  }
  const lines = ends.flatMap((local) => offerSdp(local).split('\r\n'));
  const piece = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      ...lines,
      'm=audio 1 RTP/SAVPF 0',
      'm=video 3 UDP/TLS/RTP/SAVPF 96 97',
      'a=rtpmap:96 H264/90000',
      'a=fmtp:96 packetization-mode=;=;profile-level-id',
      'a=rtcp-fb:* nack',
      'a=rtcp-fb:',
      'a=fingerprint:sha-1',
      'a=rtcp-xr:',
    ),
    fc
      .tuple(
        fc.constantFrom('crypto', 'fingerprint', 'setup', 'rtcp-fb', 'rtcp-xr', 'fmtp:96', 'rtpmap:0'),
        fc.string(),
      )
      .map(([name, value]) => `a=${name}:${value}`),
  );
  const junk = fc.array(piece, { maxLength: 25 }).map((all) => ['v=0', 'c=IN IP4 192.0.2.9', ...all].join('\r\n'));
  fc.assert(
    fc.property(junk, junk, fc.constantFrom(...ends), (a, b, local) => {
      const remembered = recall(b, 'sendrecv');
      const results: (string | object)[] = [
        answerSdp(a, local),
        answerAgain(b, a, local),
        offerAgain(b, local),
        negotiated(a, b, 'OFFERER'),
        negotiated(b, offerSdp(local), 'ANSWERER'),
        remembered,
      ];
      if (!isSdpFault(remembered)) results.push(answerAgain(b, a, remembered), offerAgain(b, remembered));
      for (const result of results)
        if (isSdpFault(result) && result.reason === '') throw new Error('a fault without a reason');
      const [answer] = results;
      // We can use what we answer.
      if (typeof answer === 'string') {
        const own = negotiated(a, answer, 'ANSWERER');
        if (isSdpFault(own) && own.fault !== 'NO_ADDRESS') throw new Error(`${own.fault} ${own.reason}`);
      }
    }),
    { numRuns: 3000 },
  );
  t.pass('nothing throws');
  t.end();
});
