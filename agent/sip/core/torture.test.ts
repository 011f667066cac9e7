/**
 * The messages that RFC 4475 and RFC 5118 list (as our own equivalents, see agent/testing/sip/torture/): the parser's result
 * for each, and the engine's answer on virtual time. Where the RFCs leave the answer open, it is our choice.
 */
import { parseSdp } from '@carillon/media/sdp/parse.ts';
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import t from 'tap';
import { answering, readMessages } from '../../testing/sip/torture/read.ts';
import { CallLog, headerOf, headersOf, LOCAL, SDP, VirtualEngine } from '../../testing/sip/virtual.ts';
import { addressParameter, parseNameAddress } from '../message/name-address.ts';
import { parseMessage } from '../message/parse.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { parseUri } from '../message/uri.ts';
import { parseVia } from '../message/via.ts';

type Row = {
  /** FINE; the status of the fault that makes it invalid; NONE: not a SIP message. */
  readonly parse: 'FINE' | 'NONE' | number;
  /** Status of the answer; TAKEN: a call, 100 Trying; DROPPED and UNMATCHED as the counters name them. */
  readonly answer: number | 'TAKEN' | 'DROPPED' | 'UNMATCHED';
  /** What the parser must have read. */
  readonly sees?: (message: SipMessage, answer: string) => unknown;
  readonly wanted?: unknown;
};

const contacts = (message: SipMessage): (string | undefined)[] =>
  message.headerMembers('contact').map((contact) => parseNameAddress(contact)?.uri);

const requestUri = (message: SipMessage): unknown => {
  const uri = parseUri(message.requestUri);
  return typeof uri === 'string' ? uri : [uri.user, uri.host, uri.port];
};

const vias = (message: SipMessage): unknown =>
  message.headerMembers('via').map((via) => {
    const { transport, host, port } = parseVia(via) ?? {};
    return `${transport} ${host} ${port}`;
  });

const addresses = (message: SipMessage): unknown => {
  const session = parseSdp(message.body);
  return isSdpFault(session) ? session : session.media.map((media) => media.address);
};

const RFC4475: Readonly<Record<string, Row>> = {
  wsinv: {
    parse: 'FINE',
    // Its To has a tag, and there is no such dialog (RFC 3261, 12.2.2).
    answer: 481,
    sees: (m) => [m.method, m.cseq, m.toTag, m.fromTag, m.branch, m.header('subject'), contacts(m), vias(m)],
    wanted: [
      'INVITE',
      9,
      '1918181833n',
      '98asjd8',
      '390skdjuw',
      '',
      ['sip:bob@example.com'],
      ['UDP 192.0.2.2 0', 'TCP below.example.com 0', 'UDP 192.168.255.111 0'],
    ],
  },
  intmeth: {
    parse: 'FINE',
    answer: 501,
    sees: (m, answer) => [m.method, m.callId, headerOf(answer, 'Allow').startsWith('INVITE')],
    wanted: ["!interesting-Method0123456789_*+`.%indeed'~", 'intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{', true],
  },
  esc01: {
    parse: 'FINE',
    answer: 'TAKEN',
    sees: (m) => [requestUri(m), contacts(m)],
    wanted: [
      ['sips:alice@example.com', 'example.net', 0],
      ['sip:cal%6Cer@192.0.2.2:5061;%6C%72;n%61me=v%61lue%25%34%31'],
    ],
  },
  escnull: {
    parse: 'FINE',
    answer: 405,
    sees: (m) =>
      contacts(m).map((uri) => {
        const contact = parseUri(uri ?? '');
        return typeof contact === 'string' ? contact : contact.user;
      }),
    wanted: ['\0', '\0\0'],
  },
  esc02: { parse: 'FINE', answer: 501, sees: (m) => [m.method, contacts(m).length], wanted: ['RE%47IST%45R', 2] },
  lwsdisp: {
    parse: 'FINE',
    answer: 200,
    sees: (m) => parseNameAddress(m.from)?.uri,
    wanted: 'sip:caller@example.com',
  },
  longreq: {
    parse: 'FINE',
    // Its To has a tag, too.
    answer: 481,
    sees: (m) => [m.callId.length, (vias(m) as string[]).length, m.fromTag.length],
    wanted: ['longreq.one'.length + 180 + 'longcallid'.length, 5, 426],
  },
  dblreq: { parse: 'FINE', answer: 405, sees: (m) => [m.method, m.body], wanted: ['REGISTER', ''] },
  semiuri: { parse: 'FINE', answer: 200, sees: requestUri, wanted: ['user;par=u@example.net', 'example.com', 0] },
  transports: {
    parse: 'FINE',
    answer: 200,
    sees: (m, answer) => [(vias(m) as string[]).map((via) => via.split(' ')[0]), headersOf(answer, 'Via').length],
    wanted: [['UDP', 'SCTP', 'TLS', 'UNKNOWN', 'TCP'], 5],
  },
  mpart01: {
    parse: 'FINE',
    answer: 405,
    sees: (m) => [m.body.split('--7a9cbec02ceef655').length, m.body.includes('\0'), m.body.endsWith('--')],
    wanted: [4, true, true],
  },
  unreason: {
    parse: 'FINE',
    answer: 'UNMATCHED',
    sees: (m) => [m.status, Buffer.from(m.reason, 'latin1').toString()],
    wanted: [200, '= 2**3 * 5**2 но сто'],
  },
  noreason: { parse: 'FINE', answer: 'UNMATCHED', sees: (m) => [m.status, m.reason], wanted: [100, ''] },
  badinv01: { parse: 'FINE', answer: 400 },
  clerr: { parse: 400, answer: 400 },
  ncl: { parse: 400, answer: 400 },
  scalar02: { parse: 400, answer: 400 },
  scalarlg: { parse: 400, answer: 'DROPPED' },
  quotbal: { parse: 'FINE', answer: 400 },
  ltgtruri: { parse: 'FINE', answer: 400 },
  lwsruri: { parse: 400, answer: 400 },
  lwsstart: { parse: 400, answer: 400 },
  trws: { parse: 400, answer: 400 },
  escruri: { parse: 'FINE', answer: 400 },
  baddate: { parse: 'FINE', answer: 'TAKEN' },
  regbadct: { parse: 'FINE', answer: 400 },
  badaspec: { parse: 'FINE', answer: 400 },
  baddn: { parse: 'FINE', answer: 400 },
  badvers: { parse: 505, answer: 505 },
  mismatch01: { parse: 400, answer: 400 },
  mismatch02: { parse: 400, answer: 400 },
  bigcode: { parse: 'NONE', answer: 'DROPPED' },
  // Matched as in RFC 2543.
  badbranch: { parse: 'FINE', answer: 200 },
  // Without the fields that an answer copies, no answer is possible.
  insuf: { parse: 400, answer: 'DROPPED' },
  unkscm: { parse: 'FINE', answer: 416 },
  novelsc: { parse: 'FINE', answer: 416 },
  // A registrar would answer 400; an endpoint accepts no REGISTER.
  unksm2: { parse: 'FINE', answer: 405, sees: contacts, wanted: ['name:John_Smith'] },
  bext01: {
    parse: 'FINE',
    answer: 420,
    sees: (_, answer) => headerOf(answer, 'Unsupported'),
    wanted: 'nothingSupportsThis, nothingSupportsThisEither',
  },
  invut: {
    parse: 'FINE',
    answer: 415,
    sees: (_, answer) => headerOf(answer, 'Accept'),
    wanted: 'application/sdp, multipart/mixed',
  },
  regaut01: { parse: 'FINE', answer: 405 },
  multi01: { parse: 400, answer: 400 },
  mcl01: { parse: 400, answer: 400 },
  bcast: { parse: 'FINE', answer: 'UNMATCHED' },
  zeromf: { parse: 'FINE', answer: 200 },
  cparam01: {
    parse: 'FINE',
    answer: 405,
    sees: (m) => {
      const contact = parseNameAddress(m.header('contact') ?? '');
      return contact === null ? null : [contact.uri, addressParameter(contact, 'unknownparam')];
    },
    wanted: ['sip:+4930333@gw1.example.net', ''],
  },
  cparam02: {
    parse: 'FINE',
    answer: 405,
    sees: (m) => {
      const contact = parseNameAddress(m.header('contact') ?? '');
      return contact === null ? null : [contact.uri, addressParameter(contact, 'unknownparam')];
    },
    wanted: ['sip:+4930333@gw1.example.net;unknownparam', null],
  },
  regescrt: {
    parse: 'FINE',
    answer: 405,
    sees: contacts,
    wanted: ['sip:user@example.com?Route=%3Csip:sip.example.com%3E'],
  },
  sdp01: { parse: 'FINE', answer: 406 },
  inv2543: {
    parse: 'FINE',
    answer: 'TAKEN',
    sees: (m, answer) => [m.branch, m.fromTag, headerOf(answer, 'Record-Route')],
    wanted: ['', '', ''],
  },
};

const RFC5118: Readonly<Record<string, Row>> = {
  'ipv6-good': { parse: 'FINE', answer: 405, sees: requestUri, wanted: ['', '2001:db8::10', 0] },
  'ipv6-bad': { parse: 'FINE', answer: 400 },
  'port-ambiguous': { parse: 'FINE', answer: 405, sees: requestUri, wanted: ['', '2001:db8::10:5070', 0] },
  'port-unambiguous': { parse: 'FINE', answer: 405, sees: requestUri, wanted: ['', '2001:db8::10', 5070] },
  'via-received-param-with-delim': {
    parse: 'FINE',
    answer: 481,
    sees: (_, answer) => headerOf(answer, 'Via').includes('received=192.0.2.2'),
    wanted: true,
  },
  'via-received-param-no-delim': {
    parse: 'FINE',
    answer: 200,
    sees: (m) => [vias(m), m.branch],
    wanted: [['UDP 2001:db8::9:1 0'], 'z9hG4bKvia-received-param-no-delim1'],
  },
  'ipv6-in-sdp': { parse: 'FINE', answer: 'TAKEN', sees: addresses, wanted: ['2001:db8::20', '2001:db8::20'] },
  'mult-ip-in-header': {
    parse: 'FINE',
    answer: 481,
    sees: (m, answer) => [vias(m), answer.match(/^(?:Via|v): /gm)?.length],
    wanted: [['UDP 2001:db8::9:1 6050', 'UDP 192.0.2.1 0', 'TCP 2001:db8::9:255 0'], 3],
  },
  'mult-ip-in-sdp': { parse: 'FINE', answer: 'TAKEN', sees: addresses, wanted: ['192.0.2.1', '2001:db8::1'] },
  'ipv4-mapped-ipv6': {
    parse: 'FINE',
    answer: 'TAKEN',
    sees: (m) => [vias(m), contacts(m), addresses(m)],
    wanted: [
      ['UDP ::ffff:192.0.2.10 19823', 'UDP ::ffff:192.0.2.2 0'],
      ['sip:number@[::ffff:192.0.2.10]:19823'],
      ['::ffff:192.0.2.2', '::ffff:192.0.2.2'],
    ],
  },
  'ipv6-bug-abnf-3-colons': { parse: 'FINE', answer: 200 },
  'ipv6-correct-abnf-2-colons': {
    parse: 'FINE',
    answer: 200,
    sees: requestUri,
    wanted: ['alice', '2001:db8::192.0.2.1', 0],
  },
};

function bed() {
  const virtual: VirtualEngine = new VirtualEngine({ onUnclaimedCall: () => alice });
  const alice = virtual.agent({ onIncomingCall: () => new CallLog() });
  virtual.agent({ contactUser: 'user;par=u@example.net' });
  return { virtual, alice };
}

function answerTo(text: string): [Row['answer'] | undefined, string] {
  const { virtual } = bed();
  virtual.receive(text);
  if (virtual.errors.length > 0) throw virtual.errors[0];
  const { malformed, unmatched } = virtual.engine.counters;
  const [first, ...others] = virtual.sent.map((sent) => sent.text);
  if (first === undefined) return [malformed === 1 ? 'DROPPED' : unmatched === 1 ? 'UNMATCHED' : undefined, ''];
  if (others.length > 0 || malformed + unmatched > 0) throw new Error(`more than one answer: ${others.join('\n')}`);
  const status = Number(first.slice(8, 11));
  return [status === 100 ? 'TAKEN' : status, first];
}

for (const [rfc, rows] of Object.entries({ rfc4475: RFC4475, rfc5118: RFC5118 })) {
  const messages = readMessages(`${rfc}.txt`);
  t.test(`${rfc}: every message has a row`, (t) => {
    t.same([...messages.keys()].sort(), Object.keys(rows).sort());
    t.end();
  });
  for (const [name, { parse, answer, sees, wanted }] of Object.entries(rows)) {
    t.test(`${rfc}: ${name}`, (t) => {
      const text = messages.get(name) ?? '';
      const message = parseMessage(text);
      t.equal(message === null ? 'NONE' : (message.fault?.status ?? 'FINE'), parse, 'parsed');
      const [given, answerText] = answerTo(text);
      t.equal(given, answer, 'answered');
      if (sees !== undefined && message !== null) t.same(sees(message, answerText), wanted, 'understood');
      t.end();
    });
  }
}

t.test('responses of RFC 4475 to a call of ours', (t) => {
  const messages = readMessages('rfc4475.txt');
  const expected: Readonly<Record<string, string[]>> = {
    unreason: ['sent', 'answered 200'],
    noreason: ['sent', 'provisional 100'],
    scalarlg: ['sent'],
    bigcode: ['sent'],
    bcast: ['sent'],
  };
  for (const [name, events] of Object.entries(expected)) {
    const { virtual, alice } = bed();
    const log = new CallLog();
    alice.invite('sip:bob@192.0.2.2:5070', SDP('sendrecv', LOCAL.address), log);
    virtual.receive(answering(messages.get(name) ?? '', virtual.take('INVITE')));
    t.same(log.events, events, name);
    t.same(virtual.errors, [], name);
  }
  t.end();
});
