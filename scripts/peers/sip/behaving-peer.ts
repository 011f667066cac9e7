/**
 * A callee with separate SIP and RTP implementations, which share no code with what they test. Its behaviour in a call depends
 * on the user part of the called URI, and may be changed while it runs. It records what it sent and received, packet by packet.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Behaviour, BehaviourChoice } from './behaving/behaviour.ts';
import { BehavingCall, type PeerCallLog } from './behaving/call.ts';
import { openMedia } from './behaving/media.ts';
import { header, methodOf, readSip, repeated, type SipText, writeSip } from './behaving/sip-text.ts';

export type { PeerCallLog } from './behaving/call.ts';

export type BehavingPeer = {
  readonly address: string;
  readonly port: number;
  uri(user: string): string;
  /** By user; an unknown user is answered with 404. A test may change it: the change applies from the next call on. */
  readonly behaviours: Map<string, BehaviourChoice>;
  /** In the order of their INVITEs. */
  readonly calls: readonly PeerCallLog[];
  /** Those of one user. */
  callsOf(user: string): readonly PeerCallLog[];
  close(): void;
};

/** The number of SSRCs in each call. */
const SOURCES = 16;
const FIRST_SSRC = 0xbe00_0000;

export async function startBehavingPeer(
  address: string,
  behaviours: Readonly<Record<string, BehaviourChoice>>,
): Promise<BehavingPeer> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, sendBufferSize: 1 << 20 });
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  const known = new Map(Object.entries(behaviours));
  const open = new Map<string, BehavingCall | 'OPENING'>();
  const all: BehavingCall[] = [];
  const asked = new Map<string, number>();
  let opened = 0;
  let isClosed = false;

  const behaviourOf = (user: string): Behaviour | undefined => {
    const choice = known.get(user);
    if (typeof choice !== 'function') return choice;
    const number = asked.get(user) ?? 0;
    asked.set(user, number + 1);
    return choice(number);
  };

  async function begin(
    invite: SipText,
    behaviour: Behaviour,
    peer: string,
    send: (text: string) => void,
  ): Promise<void> {
    const callId = header(invite, 'call-id');
    open.set(callId, 'OPENING');
    const number = opened++;
    const media = await openMedia(address, FIRST_SSRC + SOURCES * number);
    const host = { address, port, peer, send, forget: () => open.delete(callId) };
    const call = new BehavingCall(host, invite, `behaving${number}`, behaviour, media);
    if (isClosed) return call.close();
    all.push(call);
    open.set(callId, call);
    call.receive(invite);
  }

  socket.on('message', (bytes, from) => {
    const message = readSip(bytes.toString());
    if (!message) return;
    const send = (text: string): void => socket.send(text, from.port, from.address);
    const refuse = (status: number, reason: string): void => {
      const method = methodOf(message);
      if (method !== '' && method !== 'ACK') send(writeSip(`SIP/2.0 ${status} ${reason}`, repeated(message, 'nobody')));
    };
    const call = open.get(header(message, 'call-id'));
    const isFirst = methodOf(message) === 'INVITE' && !/;\s*tag=/i.test(header(message, 'to'));
    if (call === 'OPENING') return;
    if (call) call.receive(message);
    else if (methodOf(message) === 'OPTIONS') refuse(200, 'OK');
    else if (!isFirst) refuse(481, 'Call/Transaction Does Not Exist');
    else {
      const user = /^INVITE sips?:([^@;]*)@/.exec(message.start)?.[1] ?? '';
      const behaviour = behaviourOf(user);
      if (behaviour === undefined) refuse(404, 'Not Found');
      else void begin(message, behaviour, from.address, send);
    }
  });

  return {
    address,
    port,
    uri: (user) => `sip:${user}@${address}:${port}`,
    behaviours: known,
    get calls() {
      return all.map(({ log }) => log);
    },
    callsOf: (user) => all.map(({ log }) => log).filter((log) => log.user === user),
    close() {
      isClosed = true;
      socket.close();
      for (const call of all) call.close();
    },
  };
}
