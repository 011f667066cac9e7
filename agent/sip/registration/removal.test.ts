/** The end of a registration: un-REGISTER at any moment. */
import t from 'tap';
import { bed } from '../../testing/sip/registration-bed.ts';
import { headerOf, responseTo } from '../../testing/sip/virtual.ts';

t.test('the end of a registration', (t) => {
  t.test('un-REGISTER, with a new challenge', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    agent.unregister();
    const leave = virtual.take('REGISTER');
    t.equal(headerOf(leave, 'Contact'), '<sip:alice@192.0.2.1:5060>;expires=0');
    t.equal(headerOf(leave, 'Expires'), '0');
    virtual.receive(responseTo(leave, 401, 'No', { headers: ['WWW-Authenticate: Digest realm="r", nonce="n"'] }));
    const again = virtual.take('REGISTER');
    t.equal(headerOf(again, 'Expires'), '0');
    virtual.receive(responseTo(again, 200, 'OK'));
    t.same(log.events, ['sent', 'registered 60', 'unregistered']);
    virtual.advance(100_000);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false], 'no refresh comes after it');
    agent.register(60, log);
    virtual.take('REGISTER');
    t.pass('and it may register again');
    t.end();
  });
  t.test('in the middle of a registration: after its answer', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    const first = virtual.take('REGISTER');
    agent.unregister();
    virtual.advance(0);
    t.equal(virtual.sent.length, 0, 'one REGISTER at a time');
    virtual.receive(responseTo(first, 200, 'OK'));
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    t.same(log.events, ['sent', 'unregistered']);
    t.end();
  });
  t.test('after a refresh that was refused: the registrar still has the binding', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    virtual.advanceUntilSent(55_000);
    virtual.receive(responseTo(virtual.take('REGISTER'), 403, 'Forbidden'));
    agent.unregister();
    const leave = virtual.take('REGISTER');
    t.equal(headerOf(leave, 'Expires'), '0');
    virtual.receive(responseTo(leave, 200, 'OK'));
    t.same(log.events, ['sent', 'registered 60', 'failed STATUS 403', 'unregistered']);
    t.equal(virtual.engine.busy, true, 'the transaction waits for timer K');
    virtual.advance(61_000);
    t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
    t.end();
  });
  t.test('while a refresh waits to be tried again, or is under way and fails', (t) => {
    for (const when of ['waiting', 'under way'] as const) {
      const { virtual, log, agent } = bed();
      agent.register(60, log);
      virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
      virtual.advanceUntilSent(55_000);
      const refresh = virtual.take('REGISTER');
      if (when === 'under way') agent.unregister();
      virtual.receive(responseTo(refresh, 500, 'Server Internal Error'));
      if (when === 'waiting') agent.unregister();
      const leave = virtual.take('REGISTER');
      t.equal(headerOf(leave, 'Expires'), '0', when);
      virtual.receive(responseTo(leave, 200, 'OK'));
      t.equal(log.events.at(-1), 'unregistered');
      virtual.advance(61_000);
      t.same([virtual.sent.length, virtual.engine.busy], [0, false]);
    }
    t.end();
  });
  t.test('and a new one after a refusal forgets the old one', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    virtual.advanceUntilSent(55_000);
    virtual.receive(responseTo(virtual.take('REGISTER'), 403, 'Forbidden'));
    agent.register(3600, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    virtual.advance(61_000);
    t.equal(virtual.sent.length, 0);
    t.end();
  });
  t.test('told in any case', (t) => {
    const silent = bed();
    silent.agent.register(60, silent.log);
    silent.virtual.receive(responseTo(silent.virtual.take('REGISTER'), 200, 'OK'));
    silent.agent.unregister();
    silent.virtual.advance(33_000);
    t.same(silent.log.events.at(-1), 'unregistered', 'the registrar is silent');
    const failed = bed();
    failed.agent.register(60, failed.log);
    failed.virtual.receive(responseTo(failed.virtual.take('REGISTER'), 403, 'Forbidden'));
    failed.agent.unregister();
    failed.virtual.advance(1);
    t.same(failed.log.events, ['sent', 'failed STATUS 403', 'unregistered'], 'there is no binding');
    t.end();
  });
  t.test('closing the user agent ends it in silence', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 200, 'OK'));
    agent.close();
    virtual.advance(120_000);
    t.same([virtual.sent.length, virtual.engine.busy, log.events.length], [0, false, 2]);
    t.end();
  });
  t.test('closing the engine tells', (t) => {
    const { virtual, log, agent } = bed();
    agent.register(60, log);
    virtual.advance(0);
    virtual.engine.close();
    t.same(log.events, ['sent', 'failed TRANSPORT null']);
    t.end();
  });
  t.end();
});
