/** Calls over TCP on virtual time, whose connections the test opens and breaks. */
import { CallLog, PEER, SDP } from './virtual.ts';
import { type VirtualStream, VirtualStreams } from './virtual-streams.ts';

export const TARGET = `sip:bob@${PEER.address}:${PEER.port};transport=tcp`;

export const methods = (stream: VirtualStream): string[] =>
  stream.sent.map(({ text }) => text.split(' ', 2).join(' ').slice(0, 11));

/** A call over TCP whose INVITE has been sent. */
export function calling() {
  const streams = new VirtualStreams();
  const { virtual } = streams;
  const log = new CallLog();
  const call = virtual.agent().invite(TARGET, SDP(), log);
  virtual.engine.turn(virtual.nowMs);
  const stream = streams.last;
  return { streams, virtual, log, call, stream };
}

export function invited() {
  const bed = calling();
  bed.streams.open(bed.stream);
  return { ...bed, invite: bed.stream.sent[0]?.text ?? '' };
}
