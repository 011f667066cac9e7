/**
 * What operators do with a PBX, a trunk or a browser's server in their first days: each case, the peer that it runs against,
 * and the test that proves it. docs/pbx-cases.md is this table (pbx-cases.test.ts).
 */
type PbxCase = {
  readonly what: string;
  /** Independent software that the test starts, or its replacement. */
  readonly peer: string;
  readonly file: string;
  /** Whole titles of tests in that file. */
  readonly test: string | readonly string[];
  /** Without which the file skips its tests. */
  readonly needs?: string;
};

const calls = (name: string): string => `scripts/e2e/calls/${name}.test.ts`;
const media = (name: string): string => `scripts/e2e/media/${name}.test.ts`;

export const PBX_CASES: readonly PbxCase[] = [
  {
    what: 'registrar with digest, 20 endpoints',
    peer: 'Kamailio',
    file: calls('kamailio'),
    test: '10 callers and 10 callees through Kamailio',
  },
  { what: 'wrong password', peer: 'Kamailio', file: calls('kamailio'), test: 'a wrong password' },
  { what: 'outbound proxy', peer: 'Kamailio', file: calls('kamailio'), test: 'an outbound proxy in front' },
  {
    what: 'trunk with digest, by password and by HA1; auth name',
    peer: 'SIPp',
    file: calls('identity'),
    test: ['auth', 'ha1'].map((by) => `a trunk that asks for credentials gets them, by ${by}`),
  },
  {
    what: 'trunk with wrong credentials, and with none',
    peer: 'SIPp',
    file: calls('identity'),
    test: 'credentials that are wrong, and none at all, are told apart',
  },
  {
    what: 'caller number as the far end sees it; 100 callers, each with a number and a row of values',
    peer: 'SIPp',
    file: calls('identity'),
    test: '100 callers, each with its own row',
  },
  {
    what: 'anonymous caller; numbers that are counted',
    peer: 'SIPp',
    file: calls('identity'),
    test: 'numbers are counted, and a caller may be nobody',
  },
  {
    what: 'second gateway where the first is closed; From domain',
    peer: 'SIPp',
    file: calls('identity'),
    test: 'a gateway that does not answer is followed by the next, and the domain is as it was set',
  },
  {
    what: 'second gateway where the first is silent',
    peer: 'SIPp',
    file: calls('identity'),
    test: 'a gateway that is silent costs its first call 32 s, and the next none',
  },
  {
    what: 'server by a name: NAPTR, SRV, A',
    peer: 'SIPp, name server',
    file: calls('signalling'),
    test: 'by a name: the call has the time of its DNS queries',
  },
  {
    what: 'WS to phones over UDP, WSS to WS, held and resumed',
    peer: 'Kamailio',
    file: calls('kamailio'),
    test: ['over WebSocket to phones over UDP', 'over WSS, held and resumed, to others over WS'].map(
      (callers) => `callers ${callers}: registered with digest, media both ways`,
    ),
  },
  {
    what: 'WSS by a name, private CA, path',
    peer: 'Kamailio',
    file: calls('websocket'),
    test: 'calls over WSS by name, at a path of the server, to callees over WS',
  },
  {
    what: 'WSS with a wrong name, path or CA, before a call',
    peer: 'Kamailio',
    file: calls('websocket'),
    test: 'a check of a registrar says what will not work, before anybody calls',
  },
  {
    what: 'ICE, plain and with DTLS',
    peer: 'baresip',
    file: media('ice-phone'),
    test: ['baresip, NONE', 'baresip, DTLS'],
    needs: 'an address other than loopback',
  },
  {
    what: 'ICE as caller and as callee; a far end without; a STUN server',
    peer: 'agents, STUN server of the test',
    file: media('ice'),
    test: ['plain', 'dtls', 'far-end-without', 'stun-server'],
  },
  {
    what: 'video of a browser, called and calling: one transport for both streams (BUNDLE)',
    peer: 'Chromium',
    file: media('browser'),
    test: [
      'a browser is called: it takes the offer, in which all is proposed for one transport',
      'a browser calls, which gathers for one transport only',
    ],
  },
  {
    what: 'media proxy: WebRTC, SRTP and plain RTP on one side, plain RTP on the other',
    peer: 'Kamailio, rtpengine in user space',
    file: media('rtpengine'),
    test: ['webrtc', 'sdes', 'plain'].map((callers) => `${callers} to plain phones`),
  },
  {
    what: 'STUN server by its name',
    peer: 'STUN and name server of the test',
    file: media('ice'),
    test: 'stun-server-by-name',
  },
  {
    what: 'ICE and DTLS over WebSockets',
    peer: 'Kamailio',
    file: media('ice'),
    test: 'over-web-socket',
  },
  {
    what: 'far end whose candidates lead to nobody: ICE_FAILED',
    peer: 'SIPp',
    file: media('ice'),
    test: 'a call in which no pair works fails by that name',
  },
  { what: 'STUN server that is silent', peer: 'nobody', file: media('ice'), test: 'silent-stun-server' },
  {
    what: 'TURN server refused by name',
    peer: 'none',
    file: 'control-plane/contract/test-settings/settings.test.ts',
    test: 'TURN is refused by name, and invalid servers',
  },
  {
    what: 'video, VP8 and H.264',
    peer: 'agents; tshark and ffmpeg judge',
    file: media('video'),
    test: ['vp8', 'h264'].map((flow) => `${flow}: streams and their figures`),
  },
  {
    what: 'video over AVP and over AVPF, with losses each way and PLI',
    peer: 'GStreamer',
    file: media('video'),
    test: ['AVP', 'AVPF'].map((profile) => `a phone of others over ${profile}: our figures are what it counted`),
  },
  {
    what: 'video with a phone that refuses AVPF: offered once more over AVP',
    peer: 'baresip',
    file: media('video'),
    test: 'a soft phone that refuses AVPF is offered AVP, and has both streams',
  },
  {
    what: 'video refused in one profile, taken in the other',
    peer: 'simulated',
    file: 'agent/run/run.test.ts',
    test: 'a video that is refused is offered once more, over the other profile: one attempt of one call',
  },
  {
    what: 'audio in each codec, recorded by the phone',
    peer: 'baresip',
    file: calls('baresip'),
    test: ['PCMU', 'PCMA', 'G722', 'OPUS'],
  },
  {
    what: 'SRTP, SDES and DTLS',
    peer: 'baresip',
    file: media('srtp'),
    test: [
      'SDES with AES_CM_128_HMAC_SHA1_80',
      'SDES with AES_CM_128_HMAC_SHA1_32',
      'DTLS, we are active',
      'DTLS, we are passive',
    ],
  },
  {
    what: 'INVITE of a stranger; two runs at one address',
    peer: 'SIPp',
    file: calls('receiving'),
    test: 'each run takes the calls of its own trunk; a stranger is reported and counted, and changes no figure',
  },
  {
    what: 'offers that cannot be used: 488 before it rings',
    peer: 'SIPp',
    file: calls('receiving'),
    test: 'an offer that media cannot be sent to: 488 with a Warning before it rings, and no answered call',
  },
  {
    what: 'PRACK with an offer that cannot be used',
    peer: 'SIPp',
    file: calls('receiving'),
    test: 'an offer in PRACK that cannot be used: the PRACK is answered, the INVITE gets 488 with a Warning',
  },
  {
    what: 'OPTIONS and other requests by hand',
    peer: 'sipsak',
    file: 'agent/black-box/sip-sipsak.test.ts',
    test: 'sipsak',
    needs: 'sipsak',
  },
  {
    what: 'both ends of a call through a B2BUA: one call, 20 at once, forwarded, refused and tried again',
    peer: 'scripted B2BUA',
    file: calls('b2bua'),
    test: 'one call: both ends, both legs, and what only both ends give away',
  },
  {
    what: 'attended transfer, all three ends',
    peer: 'Kamailio',
    file: calls('transfer'),
    test: 'agents transfer, are transferred, and are transferred to, through a registrar',
  },
  {
    what: 'attended transfer of a phone',
    peer: 'baresip, SIPp',
    file: calls('transfer'),
    test: 'a soft phone is transferred: its own call to the target, and the last NOTIFY',
  },
  {
    what: 'attended transfer that is refused, that fails, that is not reported; consultation not answered',
    peer: 'behaving peer',
    file: calls('transfer'),
    test: 'what does not succeed is found by name, and the call lasts as long as planned',
  },
  {
    what: 'REFER without consultation',
    peer: 'SIPp',
    file: calls('scenario'),
    test: 'REFER moves the call to somebody else',
  },
  {
    what: 'hold, resume, DTMF, INFO, UPDATE',
    peer: 'agents',
    file: calls('scenario'),
    test: 'what callers and callees do in a call is an event each',
  },
  {
    what: 'calls of a trunk from an address that was set; one that no agent has',
    peer: 'behaving peer, Kamailio',
    file: calls('settings'),
    test: 'calls of a trunk come from the address that was set, SIP and media',
  },
  {
    what: 'server of an address family that no agent has, and emergency number: named before a call is made',
    peer: 'none',
    file: calls('settings'),
    test: 'what no agent can send from, and what no policy lets be dialled, is named before a call is made',
  },
  {
    what: '407 after 401 for one request; Contact with parameters that nobody knows',
    peer: 'scripted server',
    file: calls('odd-servers'),
    test: '401, then 407 for the same INVITE, and a Contact with parameters that nobody knows',
  },
  {
    what: 'nonce that is stale on INVITE and in a refresh of the registration',
    peer: 'scripted server',
    file: calls('odd-servers'),
    test: 'a nonce that is stale when it is used',
  },
  {
    what: '200 without Contact',
    peer: 'scripted server',
    file: calls('odd-servers'),
    test: 'an answer without Contact: what follows goes where the INVITE went',
  },
  {
    what: 'INVITE from the second address of the registrar’s name; one from a third',
    peer: 'scripted server',
    file: calls('odd-servers'),
    test: 'called from the second address of its registrar',
  },
  {
    what: 'Expires of REGISTER as set',
    peer: 'Kamailio',
    file: calls('settings'),
    test: 'REGISTER asks for the time that was set',
  },
  {
    what: 'REGISTER sent again after 503 with Retry-After, and 500, as set',
    peer: 'SIPp',
    file: calls('settings'),
    test: 'a REGISTER that failed is sent again after the time that was set, or that the registrar asks for',
  },
  {
    what: 'length of packets as set',
    peer: 'agents through Kamailio',
    file: calls('settings'),
    test: 'packets are as long as was set',
  },
  {
    what: 'answer timeout as set',
    peer: 'behaving peer',
    file: calls('settings'),
    test: 'a caller waits as long as was set, then gives up',
  },
  {
    what: '100rel and session timer as set',
    peer: 'agents',
    file: calls('signalling'),
    test: '100rel and a session timer, between agents',
  },
  {
    what: '503 with Retry-After: calls pause for so long',
    peer: 'SIPp',
    file: calls('scenario'),
    test: 'Retry-After is honoured, then calls continue as planned',
  },
];

export const titlesOf = ({ test }: PbxCase): readonly string[] => (typeof test === 'string' ? [test] : test);

/** As on the page. */
export const pbxCaseLines = (): string[] =>
  PBX_CASES.map((one) => {
    const { what, peer, file, needs } = one;
    const skipped = needs === undefined ? '' : ` (skipped without ${needs})`;
    return `| ${what} | ${peer} | [${file}](../${file}) | ${titlesOf(one).join('; ')}${skipped} |`;
  });
