/** Checks whether the control plane can be reached: connects up to its challenge, without identification. */
import { decodeControlFrame, MAX_FRAME_BYTES, PROTOCOL } from '@carillon/proto';
import { WebSocket } from 'ws';
import { wayOut } from './way-out.ts';

const LIMIT_MS = 10_000;

/** Rejects with the obstacle; `code` is node's error code, if it has one. */
export function reachControlPlane(url: string, ca: string | null): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ws = new WebSocket(url, [PROTOCOL], {
    ...wayOut(url, ca),
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    handshakeTimeout: LIMIT_MS,
  });
  const overdue = setTimeout(() => reject(new Error('it accepted the connection but sent no answer')), LIMIT_MS);
  ws.on('error', reject);
  ws.on('close', () => reject(new Error('it closed the connection')));
  ws.on('message', (data: Buffer) => {
    try {
      if (decodeControlFrame(data).challenge) resolve();
      else reject(new Error('the server is not a control plane of a compatible version'));
    } catch {
      reject(new Error('the server is not a control plane'));
    }
  });
  return promise.finally(() => {
    clearTimeout(overdue);
    ws.terminate();
  });
}
