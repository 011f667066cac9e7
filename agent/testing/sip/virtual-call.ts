/** Outgoing calls on virtual time, in the state in which a test begins. */
import { CallLog, PEER, responseTo, SDP, VirtualEngine } from './virtual.ts';

export const TARGET = `sip:bob@${PEER.address}:${PEER.port}`;
export const CONTACT = `<sip:bob-device@${PEER.address}:${PEER.port}>`;

export type Bed = { virtual: VirtualEngine; log: CallLog; call: { hangUp(): void; callId: string }; invite: string };

/** A call whose first INVITE was taken from the wire. */
export function calling(options: Parameters<VirtualEngine['agent']>[0] = {}, engine = {}): Bed {
  const virtual = new VirtualEngine(engine);
  const log = new CallLog();
  const call = virtual.agent(options).invite(TARGET, SDP(), log);
  return { virtual, log, call, invite: virtual.take('INVITE') };
}

/** The same, answered and acknowledged. */
export function answered(headers: string[] = [], options = {}): Bed & { ack: string } {
  const bed = calling(options);
  bed.virtual.receive(responseTo(bed.invite, 200, 'OK', { contact: CONTACT, body: SDP(), headers }));
  return { ...bed, ack: bed.virtual.take('ACK') };
}
