/**
 * A run's SIP messages as a pcapng file: each in a packet of its own, at its own microsecond, between the addresses that it went
 * between; one interface for each agent. Made while it is sent: memory does not grow with the run. What both ends of a call saw
 * stands in it twice, as it was said on two hosts.
 */
import { invalid } from '../contract/errors.ts';
import { interfaceBlock, packetBlock, sectionHeader } from '../domain/pcapng/blocks.ts';
import { type Place, TcpFlows, udpPacket } from '../domain/pcapng/packets.ts';
import type { Tx } from '../store/db.ts';
import { instanceViews } from '../store/instances.ts';
import { countMessages, type MessageQuery, type TimedMessageRow } from '../store/messages.ts';
import { Chunks, inOrderOfTime } from './message-search.ts';
import type { Download, Handler } from './perform.ts';
import { knownRun } from './runs.ts';
import { messageQuery } from './trace.ts';

/** Of one file. */
export const MOST_EXPORTED = 1_000_000;
const APPLICATION = 'Carillon';
const DEFAULT_PORT = 5060;

export const exportTestRunTrace: Handler<'exportTestRunTrace'> = async ({ ports }, input) => {
  const { db } = ports.database;
  await knownRun(db, input);
  const { testRunId, projectId: _, ...filter } = input;
  return download(db, testRunId, await messageQuery(db, testRunId, filter), `run-${testRunId}`);
};

export const exportTestRunEndpointTrace: Handler<'exportTestRunEndpointTrace'> = async ({ ports }, input) => {
  const { db } = ports.database;
  await knownRun(db, input);
  const { testRunId, endpointId, from, to } = input;
  const query = await messageQuery(db, testRunId, { endpoint_id: endpointId, from, to });
  return download(db, testRunId, query, `endpoint-${endpointId}`);
};

/** @throws ApiError VALIDATION_ERROR: too many for one file */
async function download(tx: Tx, runId: string, query: MessageQuery, name: string): Promise<Download> {
  const count = await countMessages(tx, runId, query);
  if (count > MOST_EXPORTED) {
    const message = `${count} messages, and a file takes ${MOST_EXPORTED}: ask for a shorter time, or for fewer of them`;
    throw invalid([{ path: ['from'], message }]);
  }
  return { fileName: `${name}.pcapng`, bytes: blocks(tx, runId, query) };
}

async function* blocks(tx: Tx, runId: string, query: MessageQuery): AsyncGenerator<Buffer> {
  const names = new Map((await instanceViews(tx, runId)).map(({ workerId, workerName }) => [workerId, workerName]));
  const interfaces = new Map<string | null, number>();
  const flows = new TcpFlows();
  const chunks = new Chunks(tx, runId);
  yield sectionHeader(
    APPLICATION,
    `SIP messages of the test run ${runId}, credentials masked; packets are made around them`,
  );
  for await (const group of inOrderOfTime(tx, runId, query)) {
    await chunks.fetch(group);
    const written: Buffer[] = [];
    for (const message of group) {
      const text = chunks.of(message)?.subarray(message.offset, message.offset + message.length);
      if (text === undefined) continue;
      let at = interfaces.get(message.workerId);
      if (at === undefined) {
        at = interfaces.size;
        interfaces.set(message.workerId, at);
        const name = names.get(message.workerId ?? '') ?? 'agent';
        written.push(interfaceBlock(name, `agent ${name}`));
      }
      for (const packet of packetsOf(message, text, chunks.localAddressOf(message), flows))
        written.push(packetBlock(at, message.unixMicros, message.sent, packet));
    }
    yield Buffer.concat(written);
  }
}

function packetsOf(m: TimedMessageRow, text: Buffer, localAddress: string | null, flows: TcpFlows): Buffer[] {
  const peer = placeOf(m.peer);
  const own = { address: localAddress ?? unspecified(peer.address), port: m.localPort ?? DEFAULT_PORT };
  const [from, to] = m.sent ? [own, peer] : [peer, own];
  return m.transport === null || m.transport === 'UDP' ? [udpPacket(from, to, text)] : flows.packets(from, to, text);
}

const unspecified = (like: string): string => (like.includes(':') ? '::' : '0.0.0.0');

/** `192.0.2.1:5060`, `[2001:db8::1]:5060`. */
function placeOf(peer: string): Place {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(peer) ?? [];
  return { address: six ?? four ?? '0.0.0.0', port: Number(port ?? 0) & 0xffff };
}
