/**
 * A relay between an agent and its control plane that makes each look one minor version newer, or older, than it is. NEWER:
 * every frame has an unknown field, and each is followed by one whose whole body is unknown. OLDER: the frames of the current
 * minor version are missing.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { decodeAgentFrame, decodeControlFrame, encodeAgentFrame, encodeControlFrame, PROTOCOL } from '@carillon/proto';
import { WebSocket, WebSocketServer } from 'ws';

export type VersionRelay = {
  /** http://…, instead of the control plane's. */
  readonly url: string;
  /** Frames that were changed. */
  changed(): number;
  close(): void;
};

/** Field 900: eight bytes of text. */
const UNKNOWN = Buffer.from('a2380866726f6d20746f6d', 'hex');

export async function openVersionRelay(controlPlaneUrl: string, version: 'NEWER' | 'OLDER'): Promise<VersionRelay> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => PROTOCOL });
  await once(server, 'listening');
  let changed = 0;
  const pass = (to: WebSocket, older: (frame: Buffer) => Uint8Array | null) => (frame: Buffer) => {
    if (to.readyState !== WebSocket.OPEN) return;
    changed++;
    if (version === 'OLDER') {
      const known = older(frame);
      if (known) to.send(known);
      return;
    }
    to.send(Buffer.concat([frame, UNKNOWN]));
    // The first frame of an agent is its greeting; before the welcome no other is expected.
    if (!decodeAgentFrame(frame).hello) to.send(UNKNOWN);
  };
  server.on('connection', (agent) => {
    const controlPlane = new WebSocket(`${controlPlaneUrl.replace(/^http/, 'ws')}/agent/v1`, [PROTOCOL]);
    agent.on('message', pass(controlPlane, olderAgentFrame));
    controlPlane.on('message', pass(agent, olderControlFrame));
    for (const [one, other] of [
      [agent, controlPlane],
      [controlPlane, agent],
    ] as const) {
      one.on('error', () => other.terminate());
      one.on('close', () => other.terminate());
    }
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changed: () => changed,
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

function olderAgentFrame(bytes: Buffer): Uint8Array | null {
  const frame = decodeAgentFrame(bytes);
  return frame.keyChange || frame.policy ? null : encodeAgentFrame(frame);
}

function olderControlFrame(bytes: Buffer): Uint8Array | null {
  const frame = decodeControlFrame(bytes);
  if (frame.keyReceipt || frame.command?.changeKey) return null;
  if (frame.welcome) {
    const frames = { takesKeyChanges: false, takesMessageBlocks: false, takesStorageFaults: false };
    Object.assign(frame.welcome, { ...frames, version: '', agentLacks: [] });
  }
  return encodeControlFrame(frame);
}
