/** RFC 3263, 4.3 on virtual time: several targets, one after the other, in calls and registrations. */
import t from 'tap';
import { at, bed, TARGETS, URI } from '../../testing/sip/failover-bed.ts';
import { branchOf, CallLog, headerOf, RegistrationLog, SDP, type SentMessage } from '../../testing/sip/virtual.ts';

t.test('503: the same request to the next server, with a branch of its own', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  call();
  const first = take('INVITE');
  t.equal(first.address, '192.0.2.11');
  answer(first, 100, 'Trying');
  answer(first, 503, 'Service Unavailable', { toTag: 'busy' });
  const [second, ack] = [take('INVITE'), take('ACK')];
  t.equal(ack.address, '192.0.2.11', 'the ACK goes to the server that answered');
  t.equal(branchOf(ack.text), branchOf(first.text));
  t.equal(second.address, '192.0.2.12');
  t.not(branchOf(second.text), branchOf(first.text));
  const plain = (sent: SentMessage) => sent.text.replace(branchOf(sent.text), '');
  t.equal(plain(second), plain(first), 'nothing else differs: Call-ID, CSeq, From tag, body');
  answer(first, 503, 'Service Unavailable', { toTag: 'busy' });
  t.equal(take('ACK').address, '192.0.2.11', 'repetitions are acknowledged there');
  answer(second, 200, 'OK', { contact: '<sip:bob@192.0.2.12>', body: SDP() });
  t.equal(take('ACK').address, '192.0.2.12');
  t.same(log.events, [
    'located 0',
    'sent',
    'provisional 100',
    'failover INVITE 192.0.2.11 192.0.2.12: 503 Service Unavailable',
    'answered 200',
  ]);
  t.same(virtual.errors, []);
});

t.test('silence and a dead transport: all servers in turn, then the last one counts', async (t) => {
  const { virtual, log, take, call } = bed();
  call();
  const first = take('INVITE');
  virtual.refuse(first.text, 'connection refused');
  const second = take('INVITE');
  t.equal(second.address, '192.0.2.12');
  virtual.advance(32_001);
  const sends = virtual.sent.splice(0);
  const third = sends.at(-1) as SentMessage;
  t.equal(third.address, '192.0.2.13', 'after timer B');
  t.equal(sends.filter(({ address }) => address === '192.0.2.12').length, 6, 'six repetitions before');
  t.equal(headerOf(third.text, 'CSeq'), '1 INVITE');
  virtual.advance(32_001);
  t.same(log.events.slice(-2), [
    'failover INVITE 192.0.2.12 192.0.2.13: no final response to INVITE within 32 s',
    'failed TIMEOUT null',
  ]);
  t.equal(log.events.filter((event) => event === 'sent').length, 1, 'one attempt');
  virtual.advance(40_000);
  t.equal(virtual.engine.busy, false);
});

t.test('a silent server costs timer B once: it is asked last, but by one request in five minutes', async (t) => {
  const { virtual, log, take, answer, call } = bed({ nextHop: TARGETS });
  const silent = '192.0.2.11';
  const next = (status: 200 | null): SentMessage => {
    call();
    const invite = take('INVITE');
    if (status === null) return invite;
    answer(invite, status, 'OK', { contact: '<sip:bob@192.0.2.12>', body: SDP() });
    take('ACK');
    return invite;
  };
  t.equal(next(null).address, silent);
  virtual.advance(32_001);
  const second = virtual.sent.splice(0).at(-1) as SentMessage;
  t.equal(second.address, '192.0.2.12', 'after timer B');
  answer(second, 200, 'OK', { contact: '<sip:bob@192.0.2.12>', body: SDP() });
  take('ACK');
  const asked = Array.from({ length: 5 }, () => next(200).address);
  t.same(asked, Array(5).fill('192.0.2.12'), 'those after it do not wait');
  virtual.advance(300_000);
  virtual.sent.splice(0);
  const trial = next(null);
  t.equal(trial.address, silent, 'asked whether it is back');
  t.equal(next(200).address, '192.0.2.12', 'by one request');
  answer(trial, 200, 'OK', { contact: '<sip:bob@192.0.2.11>', body: SDP() });
  take('ACK');
  t.equal(next(200).address, silent, 'it has answered, and is the first again');
  t.equal(log.events.filter((event) => event.startsWith('failover')).length, 1);
  t.same(virtual.errors, []);
});

t.test('the last server answers 503: that is the failure', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  call();
  for (const { address } of TARGETS) {
    const invite = take('INVITE');
    t.equal(invite.address, address);
    answer(invite, 503, 'Service Unavailable');
    if (virtual.sent.length > 1) virtual.sent.splice(1);
    else virtual.sent.length = 0;
  }
  t.equal(log.events.at(-1), 'failed STATUS 503');
});

t.test('another failure is an answer: nobody else is asked', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  call();
  answer(take('INVITE'), 486, 'Busy Here');
  take('ACK');
  virtual.advance(100);
  t.equal(virtual.sent.length, 0);
  t.equal(log.events.at(-1), 'failed STATUS 486');
});

t.test('what follows a failover stays with the server: digest, CANCEL', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  const placed = call();
  answer(take('INVITE'), 503, 'Service Unavailable');
  const second = take('INVITE');
  take('ACK');
  answer(second, 401, 'Unauthorized', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] });
  take('ACK');
  const third = take('INVITE');
  t.equal(third.address, '192.0.2.12');
  t.equal(headerOf(third.text, 'CSeq'), '2 INVITE');
  answer(third, 180, 'Ringing');
  placed.hangUp();
  const cancel = take('CANCEL');
  t.equal(cancel.address, '192.0.2.12');
  t.equal(branchOf(cancel.text), branchOf(third.text));
  answer(cancel, 200, 'OK');
  answer(third, 503, 'Service Unavailable');
  take('ACK');
  virtual.advance(10);
  t.equal(virtual.sent.length, 0, 'a call that is given up goes to nobody else');
  t.equal(log.events.at(-1), 'failed STATUS 503');
});

t.test('credentials that one server took before it failed are not refused by the challenge of the next', async (t) => {
  const challenge = (nonce: string) => ({ headers: [`Proxy-Authenticate: Digest realm="r", nonce="${nonce}"`] });
  const { log, take, answer, call } = bed();
  call();
  answer(take('INVITE'), 407, 'Proxy Authentication Required', challenge('a'));
  take('ACK');
  answer(take('INVITE'), 503, 'Service Unavailable');
  const second = take('INVITE');
  take('ACK');
  t.match([second.address, headerOf(second.text, 'Proxy-Authorization')], ['192.0.2.12', /nonce="a"/]);
  answer(second, 407, 'Proxy Authentication Required', challenge('b'));
  take('ACK');
  const third = take('INVITE');
  t.match([third.address, headerOf(third.text, 'Proxy-Authorization')], ['192.0.2.12', /nonce="b"/]);
  answer(third, 407, 'Proxy Authentication Required', challenge('c'));
  t.match(log.failures[0]?.reason, /refused the credentials/);
  const registering = bed({ registrarUri: 'sip:pbx.example' });
  registering.agent.register(60, new RegistrationLog());
  registering.answer(registering.take('REGISTER'), 407, 'Who', challenge('a'));
  registering.answer(registering.take('REGISTER'), 503, 'Service Unavailable');
  registering.answer(registering.take('REGISTER'), 407, 'Who', challenge('b'));
  t.match(headerOf(registering.take('REGISTER').text, 'Proxy-Authorization'), /nonce="b"/);
});

t.test('hung up after a failover: no CANCEL before the new server has answered', async (t) => {
  const { virtual, log, take, answer, call } = bed();
  const placed = call();
  const first = take('INVITE');
  answer(first, 180, 'Ringing');
  answer(first, 503, 'Service Unavailable');
  const second = take('INVITE');
  take('ACK');
  placed.hangUp();
  virtual.advance(1);
  t.equal(virtual.sent.length, 0);
  answer(second, 100, 'Trying');
  t.equal(take('CANCEL').address, '192.0.2.12');
  answer(second, 487, 'Request Terminated');
  t.equal(log.events.at(-1), 'failed CANCELLED 487');
});

t.test('Retry-After: the server is not used for that time', async (t) => {
  const { virtual, agent, take, answer, call } = bed();
  call();
  answer(take('INVITE'), 503, 'Service Unavailable', { headers: ['Retry-After: 30 (maintenance);duration=60'] });
  t.equal(take('INVITE').address, '192.0.2.12');
  take('ACK');
  agent.invite(URI, SDP(), new CallLog());
  t.equal(take('INVITE').address, '192.0.2.12', 'the next call begins with the second');
  virtual.advance(30_000);
  virtual.sent.length = 0;
  agent.invite(URI, SDP(), new CallLog());
  t.equal(take('INVITE').address, '192.0.2.11');
});

t.test('the policy forbids one server: the next; all of them: the call says so', async (t) => {
  const one = bed({}, ['192.0.2.11']);
  one.call();
  t.equal(one.take('INVITE').address, '192.0.2.12');
  for (const late of [false, true]) {
    const { locator, virtual, log, call } = bed({}, ['192.0.2.11', '192.0.2.12', '192.0.2.13']);
    locator.late = late;
    call();
    virtual.advance(2);
    locator.answer();
    virtual.advance(2);
    t.equal(virtual.sent.length, 0);
    t.equal(log.events.at(-1), 'failed POLICY null');
    t.match(log.failures[0]?.reason, /policy forbids 192\.0\.2\.13/);
  }
});

t.test('another transport: Via says so', async (t) => {
  const { locator, take, answer, call } = bed();
  locator.found = { 'sip:pbx.example': [at(11, 'UDP'), at(12, 'UDP')] };
  call();
  const first = take('INVITE');
  t.match(headerOf(first.text, 'Via'), /^SIP\/2\.0\/UDP 192\.0\.2\.1:5060;rport;branch=z9hG4bK/);
  answer(first, 503, 'No');
  t.match(headerOf(take('INVITE').text, 'Via'), /^SIP\/2\.0\/UDP 192\.0\.2\.1:5060;rport;branch=z9hG4bK/);
});

t.test('registrations: 503 and silence lead on; a refresh begins with the server that answered last', async (t) => {
  const { locator, virtual, agent, take, answer } = bed({ registrarUri: 'sip:pbx.example' });
  const log = new RegistrationLog();
  agent.register(60, log);
  const first = take('REGISTER');
  t.equal(first.address, '192.0.2.11');
  answer(first, 503, 'Service Unavailable');
  const second = take('REGISTER');
  t.equal(second.address, '192.0.2.12');
  t.equal(headerOf(second.text, 'CSeq'), headerOf(first.text, 'CSeq'));
  answer(second, 401, 'Unauthorized', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] });
  const third = take('REGISTER');
  t.equal(third.address, '192.0.2.12');
  answer(third, 200, 'OK', { contact: `${headerOf(third.text, 'Contact').replace(/;expires.*/, '')};expires=60` });
  t.same(log.events, ['sent', 'registered 60']);
  virtual.advanceUntilSent(60_000);
  const refresh = take('REGISTER');
  t.equal(refresh.address, '192.0.2.12');
  t.equal(locator.asked.length, 2, 'looked up again');
  virtual.advance(32_001);
  t.equal((virtual.sent.at(-1) as SentMessage).address, '192.0.2.11', 'then the others');
  virtual.sent.length = 0;
  locator.found = {};
  agent.unregister();
  virtual.advance(32_001);
  virtual.advance(40_000);
  t.equal(log.events.at(-1), 'unregistered', 'in any case');
});
