/** Invalid datagrams: random bytes, and mutations of valid messages. Seeded, so that a bad one can be sent again. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../seeded.ts';

export type FloodTarget = { readonly address: string; readonly port: number };
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

function randomBytes(random: Random, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = random() * 256;
  return bytes;
}

const SDP = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n';

/** A plausible message of a peer, with new identifiers. */
function sipMessage(random: Random, { address, port }: FloodTarget): string {
  const n = Math.floor(random() * 1e9).toString(36);
  const method = pick(random, [
    'INVITE',
    'ACK',
    'BYE',
    'CANCEL',
    'OPTIONS',
    'REGISTER',
    'INFO',
    'UPDATE',
    'REFER',
    'FOO',
  ]);
  const start =
    random() < 0.4
      ? `SIP/2.0 ${pick(random, ['100 Trying', '180 Ringing', '200 OK', '401 Unauthorized', '486 Busy Here', '999 X'])}`
      : `${method} sip:e${n}@${address}:${port} SIP/2.0`;
  const body = method === 'INVITE' ? SDP : '';
  return [
    start,
    `Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK${n};rport`,
    'Max-Forwards: 70',
    `From: "Stranger" <sip:stranger@127.0.0.1>;tag=${n}`,
    `To: <sip:e${n}@${address}>${random() < 0.3 ? `;tag=${n}` : ''}`,
    `Call-ID: ${n}@stranger`,
    `CSeq: ${Math.floor(random() * 2 ** 33)} ${method}`,
    'Contact: <sip:stranger@127.0.0.1:9>',
    ...(random() < 0.2
      ? ['WWW-Authenticate: Digest realm="x", nonce="y", qop="auth,auth-int", algorithm=SHA-256']
      : []),
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

const MUTATIONS: readonly ((random: Random, text: string) => string)[] = [
  (_, text) => text,
  (random, text) => text.slice(0, random() * text.length),
  (random, text) => {
    const at = Math.floor(random() * text.length);
    return text.slice(0, at) + String.fromCharCode(random() * 256) + text.slice(at + 1);
  },
  (random, text) => {
    const lines = text.split('\r\n');
    lines.splice(random() * lines.length, 1);
    return lines.join('\r\n');
  },
  (random, text) => {
    const lines = text.split('\r\n');
    const line = pick(random, lines);
    return [...lines.slice(0, 1), ...Array(200).fill(line), ...lines.slice(1)].join('\r\n');
  },
  (random, text) => text.replace(/\d+/g, (digits) => (random() < 0.2 ? '9'.repeat(1 + random() * 40) : digits)),
  (random, text) => text.replace(/[:;<>"@=,]/g, (mark) => (random() < 0.1 ? mark.repeat(1 + random() * 5) : mark)),
  (_, text) => text.replaceAll('\r\n', '\n'),
  (random, text) => text.replace(/Content-Length: \d+/, `Content-Length: ${Math.floor((random() - 0.5) * 1e10)}`),
  (random, text) => `${text}${'\0'.repeat(random() * 2000)}`,
];

export const badSip = (random: Random, target: FloodTarget): Buffer =>
  random() < 0.1
    ? randomBytes(random, random() * 1500)
    : Buffer.from(pick(random, MUTATIONS)(random, sipMessage(random, target)), 'latin1');

/** RTP, RTCP, nearly either, or neither. */
export function badRtp(random: Random): Buffer {
  const packet = randomBytes(random, random() * 400);
  if (packet.length > 1 && random() < 0.8) {
    packet[0] = 0x80 | (random() * 64);
    packet[1] = pick(random, [0, 8, 0x80, 101, 200, 201, 203, 205, 255]);
  }
  return packet;
}

/** Sends `count` datagrams from one address, some thousand a second, so that the receiver's queue is full but not the host. */
export async function flood(
  from: string,
  count: number,
  next: (n: number) => { readonly target: FloodTarget; readonly bytes: Buffer },
): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('error', () => undefined).on('message', () => undefined);
  socket.bind(0, from);
  await once(socket, 'listening');
  for (let sent = 0; sent < count; ) {
    for (const end = Math.min(count, sent + 25); sent < end; sent++) {
      const { target, bytes } = next(sent);
      socket.send(bytes, target.port, target.address, () => undefined);
    }
    await sleep(3);
  }
  socket.close();
}
