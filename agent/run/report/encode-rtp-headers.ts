/** Converts headers of RTP packets to the wire's columns: one wire message for all packets between one port and one peer. */
import type { wire } from '@carillon/proto';
import type { TracedHeader } from '../../rtp/figures/header-trace.ts';
import { hostPortText } from '../../sip/message/uri.ts';

type RtpHeaders = Parameters<typeof wire.agent.v1.RtpHeaders.encode>[0];

export function rtpHeaders(headers: readonly TracedHeader[], at: (ms: readonly number[]) => number[]): RtpHeaders[] {
  const runs = Map.groupBy(
    headers,
    (h) => `${h.endpointNumber} ${h.stream} ${h.localAddress} ${h.localPort} ${h.remoteAddress} ${h.remotePort}`,
  );
  return [...runs.values()].map((run) => {
    const { endpointNumber, stream, localAddress, localPort, remoteAddress, remotePort } = run[0] as TracedHeader;
    return {
      endpoint: endpointNumber,
      stream,
      localAddress,
      localPort,
      peer: hostPortText(remoteAddress, remotePort),
      header: Buffer.concat(run.map(({ header }) => header)),
      headerBytes: run.map(({ header }) => header.length),
      packetBytes: run.map(({ packetBytes }) => packetBytes),
      sent: run.map(({ sent }) => sent),
      atMs: at(run.map(({ atMs }) => atMs)),
    };
  });
}
