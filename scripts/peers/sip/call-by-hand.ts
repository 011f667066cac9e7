/** A SIP call of a few lines, for tests of media: they provide the description, and use the answer. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

/** Calls `uri` and returns the answer's description, and a function that ends the call. */
export async function callByHand(uri: string, description: string) {
  const socket = createSocket('udp4');
  socket.bind(0, HOST);
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  const [host, peerPort] = uri.split('@')[1]!.split(':') as [string, string];
  const callId = randomBytes(8).toString('hex');
  let to = `<${uri}>`;
  const send = (method: string, sequence: number, body = ''): void => {
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP ${HOST}:${port};branch=z9hG4bK${method}${callId}`,
      'Max-Forwards: 70',
      `From: <sip:judge@${HOST}:${port}>;tag=judge`,
      `To: ${to}`,
      `Call-ID: ${callId}`,
      `CSeq: ${sequence} ${method}`,
      `Contact: <sip:judge@${HOST}:${port}>`,
      ...(body ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${body.length}`,
    ];
    socket.send(`${lines.join('\r\n')}\r\n\r\n${body}`, Number(peerPort), host);
  };
  const answered = new Promise<string>((resolve, reject) => {
    socket.on('message', (bytes) => {
      const text = bytes.toString();
      const status = Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1]);
      if (status >= 200 && /CSeq: 2 BYE/i.test(text)) socket.close();
      if (status < 200 || !/CSeq: 1 INVITE/i.test(text)) return;
      to = /^To: *(.*)$/im.exec(text)![1]!.trim();
      send('ACK', 1);
      if (status === 200) resolve(text.slice(text.indexOf('\r\n\r\n') + 4));
      else reject(new Error(text.slice(0, text.indexOf('\r\n'))));
    });
  });
  send('INVITE', 1, description);
  const answer = await answered;
  return {
    answer,
    hangUp(): void {
      // Its answer closes the socket; a peer that gives none keeps no test waiting.
      socket.unref();
      send('BYE', 2);
    },
  };
}
