/** A user agent that is closed while its transactions still wait for retransmissions. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { CallLog, responseTo, SDP, VirtualEngine } from '../../testing/sip/virtual.ts';
import { CONTACT, TARGET } from '../../testing/sip/virtual-call.ts';

/** The state that waits for a call's retransmissions outlives the call's owner and its handlers. */
function placedAndClosed(virtual: VirtualEngine): { readonly owner: WeakRef<object>; readonly answer: string } {
  const owner = { heard: 0 };
  const hears = (): void => {
    owner.heard++;
  };
  const agent = virtual.agent({
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
  virtual.take('ACK');
  call.hangUp();
  virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
  agent.close();
  return { owner: new WeakRef(owner), answer };
}

t.test('holds nothing of its owner, and acknowledges an answer that comes again', async (t) => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const virtual = new VirtualEngine();
  const { owner, answer } = placedAndClosed(virtual);
  // The target of a weak reference lives until the end of the turn in which it was created or dereferenced.
  for (let tries = 0; tries < 10 && owner.deref() !== undefined; tries++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  t.equal(owner.deref(), undefined);
  virtual.receive(answer);
  virtual.advance(5);
  t.match(virtual.take('ACK'), /^ACK /);
});
