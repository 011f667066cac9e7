/**
 * A run's SIP messages, and stored headers of RTP packets, as a pcapng file: each is one packet, with its microsecond
 * and addresses; each agent is one interface. The file is generated while it is sent, with constant memory. Messages
 * that both ends saw appear twice, as on two hosts.
 */
import { readPeer } from '@carillon/proto/wire/peer.ts';
import { invalid } from '../../../contract/errors.ts';
import type { Download, Handler } from '../../../operations/request/perform.ts';
import { knownRun } from '../../../operations/run-view/runs.ts';
import { Chunks, inOrderOfTime } from '../../../operations/run-view/trace/message-search.ts';
import { messageQuery } from '../../../operations/run-view/trace/trace.ts';
import type { Tx } from '../../../store/db.ts';
import { countMessages, type MessageQuery, type TimedMessageRow } from '../../../store/measured/messages.ts';
import { countRtpPackets, type RtpQuery } from '../../../store/measured/rtp-headers.ts';
import { instanceViews } from '../../../store/run/instances.ts';
import { interfaceBlock, packetBlock, sectionHeader } from '../domain/blocks.ts';
import { TcpFlows, udpBeginning, udpPacket } from '../domain/packets.ts';
import { type RtpHeader, rtpInOrderOfTime } from './trace-rtp.ts';

/** The limit of one file. */
const MAX_EXPORTED = 1_000_000;
const APPLICATION = 'Carillon';
const DEFAULT_PORT = 5060;
const WRITTEN_AT_ONCE = 1000;

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
  const rtp = rtpQuery(query);
  const count = (await countMessages(tx, runId, query)) + (rtp === null ? 0 : await countRtpPackets(tx, runId, rtp));
  if (count > MAX_EXPORTED) {
    const message = `${count} packets, and a file takes ${MAX_EXPORTED}: ask for a shorter time, or for fewer of them`;
    throw invalid([{ path: ['from'], message }]);
  }
  return { fileName: `${name}.pcapng`, bytes: blocks(tx, runId, query, rtp) };
}

/** A filter for messages excludes RTP. */
const rtpQuery = ({ callId, method, statuses, ...rest }: MessageQuery): RtpQuery | null =>
  callId === undefined && method === undefined && statuses === undefined ? rest : null;

async function* blocks(tx: Tx, runId: string, query: MessageQuery, rtp: RtpQuery | null): AsyncGenerator<Buffer> {
  const interfaces = new Interfaces(await instanceViews(tx, runId));
  const flows = new TcpFlows();
  const chunks = new Chunks(tx, runId);
  const media = new PendingPackets(rtp === null ? null : rtpInOrderOfTime(tx, runId, rtp));
  yield sectionHeader(
    APPLICATION,
    `SIP messages of the test run ${runId}, credentials masked, and headers of RTP packets; packets are made around them`,
  );
  for await (const group of inOrderOfTime(tx, runId, query)) {
    await chunks.fetch(group);
    const written: Buffer[] = [];
    for (const message of group) {
      const text = chunks.of(message)?.subarray(message.offset, message.offset + message.length);
      if (text === undefined) continue;
      for await (const header of media.until(message.unixMicros)) written.push(...interfaces.rtp(header));
      const [declared, at] = interfaces.of(message.workerId);
      written.push(...declared);
      for (const packet of packetsOf(message, text, chunks.localAddressOf(message), flows))
        written.push(packetBlock(at, message.unixMicros, message.sent, packet));
    }
    yield Buffer.concat(written);
  }
  let written: Buffer[] = [];
  for await (const header of media.until(Number.POSITIVE_INFINITY)) {
    written.push(...interfaces.rtp(header));
    if (written.length < WRITTEN_AT_ONCE) continue;
    yield Buffer.concat(written);
    written = [];
  }
  yield Buffer.concat(written);
}

/** The interfaces of the file: one per agent, declared with its first packet. */
class Interfaces {
  readonly #names: ReadonlyMap<string, string>;
  readonly #numbers = new Map<string | null, number>();

  constructor(instances: readonly { readonly workerId: string; readonly workerName: string }[]) {
    this.#names = new Map(instances.map(({ workerId, workerName }) => [workerId, workerName]));
  }

  /** Returns the declaration to write first, and the interface's number. */
  of(workerId: string | null): readonly [Buffer[], number] {
    const known = this.#numbers.get(workerId);
    if (known !== undefined) return [[], known];
    const at = this.#numbers.size;
    this.#numbers.set(workerId, at);
    const name = this.#names.get(workerId ?? '') ?? 'agent';
    return [[interfaceBlock(name, `agent ${name}`)], at];
  }

  rtp({ row, sent, unixMicros, header, packetBytes }: RtpHeader): Buffer[] {
    const own = { address: row.localAddress, port: row.localPort };
    const peer = readPeer(row.peer);
    const [from, to] = sent ? [own, peer] : [peer, own];
    const { packet, originalBytes } = udpBeginning(from, to, header, packetBytes);
    const [declared, at] = this.of(row.workerId);
    return [...declared, packetBlock(at, unixMicros, sent, packet, originalBytes)];
  }
}

/** Returns items in order of time, up to an instant each time. */
class PendingPackets {
  readonly #source: AsyncGenerator<RtpHeader> | null;
  #next: RtpHeader | null = null;
  #isOver: boolean;

  constructor(source: AsyncGenerator<RtpHeader> | null) {
    this.#source = source;
    this.#isOver = source === null;
  }

  async *until(unixMicros: number): AsyncGenerator<RtpHeader> {
    for (;;) {
      if (this.#next === null && !this.#isOver) {
        const { value, done } = (await this.#source?.next()) ?? { done: true };
        if (done) this.#isOver = true;
        else this.#next = value ?? null;
      }
      if (this.#next === null || this.#next.unixMicros >= unixMicros) return;
      const due = this.#next;
      this.#next = null;
      yield due;
    }
  }
}

function packetsOf(m: TimedMessageRow, text: Buffer, localAddress: string | null, flows: TcpFlows): Buffer[] {
  const peer = readPeer(m.peer);
  const own = { address: localAddress ?? unspecified(peer.address), port: m.localPort ?? DEFAULT_PORT };
  const [from, to] = m.sent ? [own, peer] : [peer, own];
  return m.transport === null || m.transport === 'UDP' ? [udpPacket(from, to, text)] : flows.packets(from, to, text);
}

const unspecified = (like: string): string => (like.includes(':') ? '::' : '0.0.0.0');
