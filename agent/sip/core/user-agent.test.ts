/** A user agent that is closed while its transactions still wait for retransmissions. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { CallLog, responseTo, SDP, VirtualEngine } from '../../testing/sip/virtual.ts';
import { CONTACT, TARGET } from '../../testing/sip/virtual-call.ts';
import { parseUri } from '../message/uri.ts';

/** Each weak reference, and an answer to repeat. */
type Placed = {
  readonly owner: WeakRef<object>;
  readonly agent: WeakRef<object>;
  readonly answer: string;
  readonly ack: string;
};

/** A call that has ended, of a user agent that has closed. */
function placedAndClosed(virtual: VirtualEngine, contactUser = 'alice'): Placed {
  const owner = { heard: 0 };
  const hears = (): void => {
    owner.heard++;
  };
  const agent = virtual.agent({
    contactUser,
    onIncomingCall: () => {
      hears();
      return null;
    },
    isBusy: () => owner.heard > 0,
    onConnectionOpened: hears,
    onForbidden: hears,
  });
  const call = agent.invite(TARGET, SDP(), new CallLog());
  const answer = responseTo(virtual.take('INVITE'), 200, 'OK', { contact: CONTACT, body: SDP() });
  virtual.receive(answer);
  const ack = virtual.take('ACK');
  call.hangUp();
  virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
  agent.close();
  return { owner: new WeakRef(owner), agent: new WeakRef(agent), answer, ack };
}

/** The branch of each ACK to a 2xx is its own (RFC 3261, 13.2.2.4). */
const withoutBranch = (text: string): string => text.replace(/branch=[^;\r]*/, '');

t.test('stays in memory for no repetition, and acknowledges an answer that comes again', async (t) => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const virtual = new VirtualEngine();
  const { owner, agent, answer, ack } = placedAndClosed(virtual);
  // The send queue's last record names its user agent, and what the test has seen names all of them.
  placedAndClosed(virtual, 'bob');
  virtual.traffic.length = 0;
  const isHeld = (): boolean => owner.deref() !== undefined || agent.deref() !== undefined;
  // The target of a weak reference lives until the end of the turn in which it was created or dereferenced.
  for (let tries = 0; tries < 10 && isHeld(); tries++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  t.same([owner.deref(), agent.deref()], [undefined, undefined]);
  virtual.receive(answer);
  virtual.advance(5);
  t.equal(withoutBranch(virtual.take('ACK')), withoutBranch(ack), 'the same ACK');
});

t.test('acknowledges and ends what another fork answers', (t) => {
  const virtual = new VirtualEngine();
  const { answer } = placedAndClosed(virtual);
  virtual.receive(answer.replace(/^(To: .*;tag=).*$/m, '$1another'));
  t.match(virtual.take('ACK'), /^To: .*;tag=another$/m);
  const bye = virtual.take('BYE');
  t.match(bye, /^To: .*;tag=another$/m);
  const headers = ['WWW-Authenticate: Digest realm="r", nonce="n"'];
  virtual.receive(responseTo(bye, 401, 'Unauthorized', { headers }));
  const authorized = virtual.take('BYE');
  t.match(authorized, /^Authorization: Digest username="alice", realm="r"/m, 'with its credentials');
  virtual.receive(responseTo(authorized, 200, 'OK'));
  virtual.advance(40_000);
  t.same([virtual.engine.busy, virtual.errors], [false, []]);
  t.end();
});

t.test('a hundred of them are no more user agents', (t) => {
  const virtual = new VirtualEngine();
  for (let i = 0; i < 100; i++) virtual.agent({ contactUser: `alice${i}` }).close();
  virtual.agent({ contactUser: 'alice0' });
  t.same(virtual.errors, [], 'each name is free again');
  t.end();
});

t.test('its address of record is a SIP URI, whatever was checked before', (t) => {
  const virtual = new VirtualEngine();
  const isTaken = (aor: string): boolean => {
    try {
      virtual.agent({ aor }).close();
      return true;
    } catch {
      return false;
    }
  };
  const user = fc.constantFrom('alice', 'a.b-c_d~1', '', 'a:b', 'a%41', 'a b', 'a@b');
  const host = fc.constantFrom(
    '192.0.2.1',
    'pbx.example:5060',
    '[::1]',
    'pbx..',
    'h:0',
    'h:70000',
    '',
    'h;lr',
    'h;;',
    '<',
  );
  fc.assert(
    fc.property(user, host, (user, host) => {
      const aor = `sip:${user}@${host}`;
      return isTaken(aor) === (typeof parseUri(aor) !== 'string');
    }),
  );
  t.end();
});
