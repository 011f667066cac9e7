/** ICE in offer and answer (RFC 8839): what is written, agreed, and ignored. */
import t from 'tap';
import { localCandidates } from '../ice/candidate.ts';
import { answerAgain, answerSdp, offerAgain } from './answer.ts';
import type { LocalSession } from './local.ts';
import { negotiated } from './negotiated.ts';
import { offerSdp } from './offer.ts';
import { isSdpFault } from './session-description.ts';

const PWD = { us: 'u'.repeat(22), them: 't'.repeat(22) };

const end = (address: string, name: 'us' | 'them', more: Partial<LocalSession> = {}, ice = true): LocalSession => ({
  address,
  sessionId: '1',
  version: '1',
  rtcpMux: true,
  security: { mode: 'NONE' },
  feedbackProfile: 'AVP',
  streams: [
    {
      ...{ kind: 'AUDIO', rtpPort: 4000, rtcpPort: 4001, direction: 'sendrecv', keys: [], codecs: ['PCMU'] },
      ...{ packetMs: 20, telephoneEvent: false },
      ice: ice
        ? {
            ufrag: name.padEnd(4, '0'),
            pwd: PWD[name],
            lite: false,
            candidates: localCandidates({ address, port: 4000 }, { address: '198.51.100.1', port: 9999 }),
          }
        : null,
    },
  ],
  ...more,
});
const US = end('192.0.2.1', 'us');
const THEM = end('192.0.2.2', 'them');

const text = (result: ReturnType<typeof answerSdp>): string => {
  if (isSdpFault(result)) throw new Error(result.reason);
  return result;
};
const iceOf = (offer: string, answer: string, side: 'OFFERER' | 'ANSWERER') => {
  const agreed = negotiated(offer, answer, side);
  return isSdpFault(agreed) ? agreed : agreed[0]?.ice;
};

t.test('what is offered, word for word', (t) => {
  t.same(offerSdp(US).split('\r\n').slice(-7), [
    'a=rtcp-xr:voip-metrics',
    'a=ice-ufrag:us00',
    `a=ice-pwd:${PWD.us}`,
    'a=candidate:1 1 udp 2130706431 192.0.2.1 4000 typ host',
    'a=candidate:2 1 udp 1694498815 198.51.100.1 9999 typ srflx raddr 192.0.2.1 rport 4000',
    'a=end-of-candidates',
    '',
  ]);
  t.notMatch(offerSdp(end('192.0.2.1', 'us', { rtcpMux: false })), /ice|candidate/, 'of one component only');
  t.end();
});

t.test('both ends agree, one is not asked, or somebody has changed the address', (t) => {
  const offer = offerSdp(US);
  const answer = text(answerSdp(offer, THEM));
  t.match(iceOf(offer, answer, 'OFFERER'), {
    local: { ufrag: 'us00' },
    remote: { ufrag: 'them', pwd: PWD.them, lite: false, candidates: [{ type: 'host' }, { type: 'srflx' }] },
    controlling: true,
  });
  t.match(iceOf(offer, answer, 'ANSWERER'), {
    local: { ufrag: 'them' },
    remote: { ufrag: 'us00' },
    controlling: false,
  });
  const without: [why: string, offer: string, local: LocalSession][] = [
    ['an offer without', offerSdp(end('192.0.2.1', 'us', {}, false)), THEM],
    ['an end without', offer, end('192.0.2.2', 'them', {}, false)],
    ['without rtcp-mux', offer.replace('a=rtcp-mux\r\n', ''), THEM],
    ['changed on the way', offer.replaceAll('c=IN IP4 192.0.2.1', 'c=IN IP4 203.0.113.1'), THEM],
    ['a password that is none', offer.replace(PWD.us, 'short'), THEM],
  ];
  for (const [why, said, local] of without) {
    const reply = text(answerSdp(said, local));
    t.notMatch(reply, /ice|candidate/, why);
    t.equal(iceOf(said, reply, 'ANSWERER'), null, why);
  }
  t.end();
});

t.test('an address that is no candidate: with DTLS, ICE goes on', (t) => {
  const security = { mode: 'DTLS', fingerprint: { hash: 'sha-256', value: Array(32).fill('0A').join(':') } } as const;
  const changed = (text: string): string => text.replaceAll('c=IN IP4 192.0.2', 'c=IN IP4 203.0.113');
  const offer = changed(offerSdp({ ...US, security }));
  const answer = changed(text(answerSdp(offer, { ...THEM, security })));
  for (const [side, ufrag] of [
    ['OFFERER', 'them'],
    ['ANSWERER', 'us00'],
  ] as const)
    t.match(iceOf(offer, answer, side), { remote: { ufrag, candidates: [{ type: 'host' }, { type: 'srflx' }] } }, side);
  t.end();
});

t.test('lite, names, TCP, a second component, no default destination', (t) => {
  const offer = offerSdp(US)
    .replace('t=0 0', 't=0 0\r\na=ice-lite')
    .replace(
      'a=end-of-candidates',
      [
        'a=candidate:3 1 udp 1 4f2a.local 5000 typ host',
        'a=candidate:4 1 tcp 1 192.0.2.1 9 typ host tcptype active',
        'a=candidate:5 2 udp 1 192.0.2.1 4001 typ host',
      ].join('\r\n'),
    );
  const ice = iceOf(offer, text(answerSdp(offer, THEM)), 'ANSWERER');
  t.match(ice, { remote: { lite: true } });
  t.equal(ice && 'remote' in ice && ice.remote.candidates.length, 2, 'what can be checked');
  const browser = offerSdp(US).replace('m=audio 4000', 'm=audio 9').replaceAll('IP4 192.0.2.1', 'IP4 0.0.0.0');
  const agreed = negotiated(browser, text(answerSdp(browser, THEM)), 'ANSWERER');
  t.match(agreed, [{ address: '192.0.2.1', rtpPort: 4000, rtcpPort: 4000, direction: 'sendrecv' }]);
  t.end();
});

t.test('later offers: the same credentials, word for word; those of a restart are answered with ours of then', (t) => {
  const offer = offerSdp(US);
  const answer = text(answerSdp(offer, THEM));
  t.equal(offerAgain(offer, US), offer);
  t.equal(answerAgain(answer, offer, THEM), answer);
  const again = { ...THEM.streams[0]!, ice: { ...THEM.streams[0]!.ice!, ufrag: 'anew' } };
  t.match(text(answerAgain(answer, offer, { ...THEM, streams: [again] })), /o=- 1 2 .*a=ice-ufrag:anew/s);
  t.end();
});
