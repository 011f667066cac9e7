/**
 * Mutated messages over connections: cut anywhere, sent slowly, several in a piece; from peers that reconnect whenever their
 * connection is closed.
 */
import { seeded } from '../../../scripts/peers/seeded.ts';
import type { Connections } from '../../sip/transport/connections.ts';
import { SipGarbage } from './garbage.ts';
import { readMessages } from './torture/read.ts';
import { CallLog, requestOf, SDP } from './virtual.ts';
import { type VirtualStream, VirtualStreams } from './virtual-streams.ts';

const CONNECTIONS = 40;
/** After this many messages a peer closes its connection, with whatever is unfinished. */
const LIFE = 200;

export type StreamFates = {
  readonly messages: number;
  readonly pieces: number;
  /** Connections that the engine closed because their contents were invalid. */
  readonly ended: number;
  readonly answers: number;
  /** Invalid answers: everything written has to be a message or a pong. Has to be 0. */
  readonly strange: number;
  readonly internalErrors: number;
  /** Whether a valid request is answered at the end. */
  readonly isUp: boolean;
  /** Bytes of unfinished messages and connections that remain when every peer has gone. Have to be 0. */
  readonly pendingBytes: number;
  readonly connections: number;
};

/** `onEvery` is told after each hundred thousand messages. */
export function bombardStreams(
  messages: number,
  seed: number,
  onEvery: (sent: number) => void = () => undefined,
): StreamFates {
  const random = seeded(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const streams = new VirtualStreams();
  const { virtual } = streams;
  virtual.agent({
    traffic: { onMessage: () => undefined },
    onIncomingCall: (call) => {
      call.answer(SDP());
      return new CallLog();
    },
  });
  const right = ['INVITE', 'BYE', 'CANCEL', 'OPTIONS', 'UPDATE', 'INFO', 'ACK'].map((method) =>
    requestOf(method, { body: method === 'INVITE' ? SDP() : '' }).replace('SIP/2.0/UDP', 'SIP/2.0/TCP'),
  );
  const garbage = new SipGarbage(seed, [...readMessages('rfc4475.txt').values(), ...right]);
  let port = 1024;
  const open = (): VirtualStream => {
    port = 1024 + ((port + 1) % 64_000);
    return streams.accept('192.0.2.9', port);
  };
  const peers = Array.from({ length: CONNECTIONS }, () => ({ stream: open(), age: 0 }));
  const told = { ended: 0, pieces: 0, answers: 0, strange: 0 };
  const read = (stream: VirtualStream): void => {
    for (const { text } of stream.sent.splice(0)) {
      if (/^SIP\/2\.0 [1-6]\d\d /.test(text)) told.answers++;
      else if (!/^(?:\r\n)+$/.test(text) && !/^[A-Z]+ sips?:/.test(text)) told.strange++;
    }
  };
  for (let i = 0; i < messages; i++) {
    const peer = peers[below(CONNECTIONS)] as (typeof peers)[number];
    let text = garbage.next();
    if (random() < 0.1) text += garbage.next();
    while (text !== '' && !peer.stream.ended) {
      const length = random() < 0.3 ? 1 + below(8) : 1 + below(text.length);
      streams.feed(peer.stream, text.slice(0, length));
      text = text.slice(length);
      told.pieces++;
    }
    read(peer.stream);
    virtual.nowMs++;
    virtual.sent.length = 0;
    if (peer.stream.ended) told.ended++;
    if (peer.stream.ended || ++peer.age === LIFE) {
      streams.shut(peer.stream, 'gone');
      Object.assign(peer, { stream: open(), age: 0 });
    }
    if ((i + 1) % 100_000 === 0) onEvery(i + 1);
  }
  const last = open();
  streams.feed(last, requestOf('OPTIONS', { callId: 'last' }).replace('SIP/2.0/UDP', 'SIP/2.0/TCP'));
  const isUp = last.sent.some(({ text }) => text.startsWith('SIP/2.0 200'));
  for (const { stream } of [...peers, { stream: last }]) streams.shut(stream, 'gone');
  // Answered calls are hung up for a while.
  virtual.advance(200_000);
  for (const stream of streams.opened) streams.shut(stream, 'gone');
  virtual.advance(1000);
  const { pendingBytes, size } = virtual.engine.sendQueue.connections as Connections;
  const { internalErrors } = virtual.engine.counters;
  const [error] = virtual.errors;
  if (error !== undefined) throw error;
  return { messages, ...told, internalErrors, isUp, pendingBytes, connections: size };
}
