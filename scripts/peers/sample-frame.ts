/** A batch of one second of many streams, as an agent sends it every second. */
import { encodeAgentFrame, encodeFacts, type wire } from '@carillon/proto';

export function sampleFrame(number: number, allocationId: Uint8Array, streams: number, baseUnixMs: number): Uint8Array {
  const column = (value: (i: number) => number) => Array.from({ length: streams }, (_, i) => value(i));
  const samples: wire.agent.v1.Samples.$Properties = {
    endpoint: column((i) => i),
    stream: column(() => 0),
    atMs: column((i) => i % 20),
    intervalMs: column(() => 1000),
    packetsSent: column(() => 50),
    packetsReceived: column((i) => 50 - Number(i % 97 === 0)),
    octetsReceived: column(() => 8000),
    expected: column(() => 50),
    lost: column((i) => Number(i % 97 === 0)),
    discarded: column(() => 0),
    duplicates: column(() => 0),
    reordered: column(() => 0),
    plcEvents: column(() => 0),
    jitterMs: column(() => Math.random()),
    jitterMaxMs: column(() => Math.random() * 2),
    rttMs: column((i) => (i % 5 === number % 5 ? 1 + Math.random() : Number.NaN)),
    mos: column(() => 4.2 + Math.random() / 10),
    rFactor: column(() => 88 + Math.random()),
    remoteLossFraction: column(() => Number.NaN),
    remoteJitterMs: column(() => Number.NaN),
  };
  return encodeAgentFrame({ batch: encodeFacts(number, { allocations: [{ allocationId, baseUnixMs, samples }] }) });
}
