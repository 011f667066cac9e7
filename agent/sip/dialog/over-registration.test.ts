/** One registration, and several calls over it: each call with its own user agent. */
import t from 'tap';
import { digestFields, isAuthorized } from '../../testing/sip/registrar.ts';
import {
  CallLog,
  headerOf,
  PEER,
  RegistrationLog,
  requestOf,
  responseTo,
  SDP,
  type SeenMessage,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { CONTACT, TARGET } from '../../testing/sip/virtual-call.ts';
import type { IncomingCall, UserAgent } from '../engine.ts';

const challenge = (nonce: string, more = ''): string[] => [
  `Proxy-Authenticate: Digest realm="r", nonce="${nonce}", qop="auth"${more}`,
];
const credentialsOf = (message: string): string => {
  const fields = digestFields(headerOf(message, 'Proxy-Authorization'));
  return `${fields.get('nonce') ?? ''} ${Number.parseInt(fields.get('nc') ?? '0', 16)}`;
};

function registered(headers: string[] = []): { virtual: VirtualEngine; line: UserAgent } {
  const virtual = new VirtualEngine();
  const line = virtual.agent();
  line.register(300, new RegistrationLog());
  virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK', { headers: ['Expires: 300', ...headers] }));
  return { virtual, line };
}

/** A complete call over the registration; `answer` to each of its INVITEs. Returns their credentials, and those of the BYE. */
function callOver(
  { virtual, line }: { virtual: VirtualEngine; line: UserAgent },
  contactUser: string,
  answers: readonly (string[] | null)[],
  target = TARGET,
): string[] {
  const agent = virtual.agent({ contactUser, registrarUri: null, over: line });
  const log = new CallLog();
  const call = agent.invite(target, SDP(), log);
  const seen: string[] = [];
  for (const headers of answers) {
    const invite = virtual.take('INVITE');
    seen.push(credentialsOf(invite));
    t.equal(headerOf(invite, 'Contact'), `<sip:${contactUser}@192.0.2.1:5060>`);
    if (headers !== null) {
      virtual.receive(responseTo(invite, 407, 'Proxy Authentication Required', { headers }));
      virtual.take('ACK');
      continue;
    }
    virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT, body: SDP() }));
    virtual.take('ACK');
    call.hangUp();
    const bye = virtual.take('BYE');
    seen.push(credentialsOf(bye));
    if (headerOf(bye, 'Proxy-Authorization') !== '') t.ok(isAuthorized(bye, 'Proxy-Authorization', 'alice', 'secret'));
    virtual.receive(responseTo(bye, 200, 'OK'));
    t.equal(log.events.at(-1), 'ended LOCAL');
  }
  if (answers.at(-1) !== null) t.equal(log.events.at(-1), 'failed STATUS 407');
  agent.close();
  return seen;
}

t.test('a nonce is used on by the calls that follow, and its count goes on', (t) => {
  const bed = registered();
  t.same(callOver(bed, 'one', [challenge('n'), null]), [' 0', 'n 1', 'n 2']);
  t.same(callOver(bed, 'two', [null]), ['n 3', 'n 4'], 'nobody has to ask');
  t.same(
    callOver(bed, 'three', [challenge('m', ', stale=true'), null]),
    ['n 5', 'm 1', 'm 2'],
    'another one holds from then on',
  );
  t.same(
    callOver(bed, 'four', [challenge('k'), null]),
    ['m 3', 'k 1', 'k 2'],
    'a server need not call the old one stale',
  );
  t.same(callOver(bed, 'five', [challenge('j'), challenge('i')]), ['k 3', 'j 1'], 'twice in one call: refused');
  t.same(
    callOver(bed, 'six', [null], `sip:carol@${PEER.address}`),
    [' 0', ' 0'],
    'servers of another target are others',
  );
  t.same(callOver(bed, 'seven', [null]), ['j 2', 'j 3']);
  t.end();
});

t.test('without a registration to go over, each call is challenged for itself', (t) => {
  const virtual = new VirtualEngine();
  for (const contactUser of ['one', 'two']) {
    virtual.agent({ contactUser }).invite(TARGET, SDP(), new CallLog());
    const invite = virtual.take('INVITE');
    t.equal(credentialsOf(invite), ' 0');
    virtual.receive(responseTo(invite, 407, 'Who?', { headers: challenge('n') }));
    virtual.take('ACK');
    t.equal(credentialsOf(virtual.take('INVITE')), 'n 1');
  }
  t.end();
});

t.test('calls go by the service route of the registration (RFC 3608)', (t) => {
  const { virtual, line } = registered(['Service-Route: <sip:192.0.2.2:5070;lr>']);
  virtual.agent({ contactUser: 'one', over: line }).invite('sip:bob@example.net', SDP(), new CallLog());
  t.equal(headerOf(virtual.take('INVITE'), 'Route'), '<sip:192.0.2.2:5070;lr>');
  t.end();
});

t.test('a call to a registration belongs to the endpoint that takes it, with all its messages', (t) => {
  const virtual = new VirtualEngine();
  const seen: SeenMessage[] = [];
  const calls: IncomingCall[] = [];
  let taker: UserAgent | null = null;
  const line = virtual.agent({
    taker: () => taker,
    onIncomingCall: (call) => {
      call.reject(480, 'Temporarily Unavailable');
      return null;
    },
  });
  const log = new CallLog();
  const one = virtual.agent({
    contactUser: 'one',
    over: line,
    traffic: { onMessage: ({ text: _text, ...message }) => seen.push(message) },
    onIncomingCall: (call) => {
      calls.push(call);
      return log;
    },
  });
  virtual.receive(requestOf('INVITE', { body: SDP(), callId: 'nobody' }));
  virtual.take('SIP/2.0 480');
  t.equal(seen.length, 0, 'nobody takes it: its own');
  taker = one;
  virtual.receive(requestOf('INVITE', { body: SDP(), callId: 'first' }));
  virtual.take('SIP/2.0 100');
  calls[0]?.answer(SDP());
  const ok = virtual.take('SIP/2.0 200');
  t.equal(headerOf(ok, 'Contact'), '<sip:one@192.0.2.1:5060>');
  const within = { to: headerOf(ok, 'To'), callId: 'first', requestUri: 'sip:one@192.0.2.1:5060' };
  virtual.receive(requestOf('ACK', within));
  virtual.receive(requestOf('BYE', { ...within, cseq: 2 }));
  virtual.take('SIP/2.0 200');
  t.same(log.events, ['answered 200', 'ended REMOTE']);
  t.same(
    seen.map(({ method, status }) => `${method} ${status}`),
    ['INVITE 0', 'INVITE 100', 'INVITE 200', 'ACK 0', 'BYE 0', 'BYE 200'],
  );
  t.end();
});
