/** Frames to one agent: only on an open socket, and an agent that does not read is noticed. */
import { decodeControlFrame } from '@carillon/proto';
import t from 'tap';
import type { WebSocket } from 'ws';
import { ControlSocket } from './control-socket.ts';

const FRAME = { beat: { unixMs: 7 } };

function socket(readyState = 1) {
  const sent: { bytes: Uint8Array; accepted: () => void }[] = [];
  const ws = {
    OPEN: 1,
    readyState,
    send: (bytes: Uint8Array, accepted = () => undefined) => sent.push({ bytes, accepted }),
  };
  return { ws: ws as unknown as WebSocket, sent };
}
/** Whether it settles before what is already queued has been done. */
const isSettled = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);

t.test('a frame is encoded once, and bytes pass unchanged', async (t) => {
  const { ws, sent } = socket();
  const control = new ControlSocket(ws);
  control.send(FRAME);
  control.sendBytes(Uint8Array.of(1, 2, 3));
  t.match(decodeControlFrame(sent[0]?.bytes as Uint8Array), { beat: { unixMs: 7 } });
  t.same(sent[1]?.bytes, Uint8Array.of(1, 2, 3));
});

t.test('nothing is sent while it opens, closes or is closed, and nobody waits for that', async (t) => {
  for (const readyState of [0, 2, 3]) {
    const { ws, sent } = socket(readyState);
    const control = new ControlSocket(ws);
    control.send(FRAME);
    control.sendBytes(new Uint8Array(1));
    t.equal(await control.sendAndWait(FRAME), true, `state ${readyState}`);
    t.same(sent, []);
  }
});

t.test('waits until the socket has accepted it', async (t) => {
  const { ws, sent } = socket();
  const accepted = new ControlSocket(ws).sendAndWait(FRAME);
  t.notOk(await isSettled(accepted));
  sent[0]?.accepted();
  t.equal(await accepted, true);
});

t.test('false for one that does not read, even if it does later', async (t) => {
  const { ws, sent } = socket();
  const late = new ControlSocket(ws, 1).sendAndWait(FRAME);
  t.equal(await late, false);
  sent[0]?.accepted();
  t.equal(await late, false);
});
