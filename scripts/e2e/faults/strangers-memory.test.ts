/**
 * Memory before a greeting: 300 connections of strangers to the agents' link, each with as much of a frame without an end as the
 * control plane takes, and again as soon as they are dropped. Before there was a bound they made it a gigabyte larger.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { PROTOCOL } from '@carillon/proto';
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { freshScrape } from '../../peers/referees/prometheus-text.ts';

const CONNECTIONS = 300;
const OFFERED_BYTES = 3_900_000;
/** Garbage of a heap and buffers of sockets; what is offered each time is ten times as much. */
const MAX_MB = 120;
const ROUNDS = 4;
const MEGABYTE = 1024 * 1024;
const PART = Buffer.alloc(64 * 1024, 'x');

const lab = await openLab(t, { agents: 0, provision: () => ({ tests: [] }) });
const { url } = lab.controlPlane;
const { hostname, port } = new URL(url);

/** A binary frame of 3.9 MB, masked (RFC 6455, 5.2), of which the last byte never comes. */
const frameHead = Buffer.alloc(14);
frameHead.set([0x82, 0x80 | 127]);
frameHead.writeBigUInt64BE(BigInt(OFFERED_BYTES + 1), 2);

/** @returns the bytes that could be written until the connection was dropped */
const offer = (localAddress: string): Promise<number> =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(socket.bytesWritten));
    socket.on('data', () => undefined);
    const upgrade = ['GET /agent/v1 HTTP/1.1', `Host: ${hostname}`, 'Connection: Upgrade', 'Upgrade: websocket'];
    const key = `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`;
    socket.write(
      `${[...upgrade, key, 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Protocol: ${PROTOCOL}`].join('\r\n')}\r\n\r\n`,
    );
    socket.write(frameHead);
    for (let sent = 0; sent < OFFERED_BYTES; sent += PART.length) socket.write(PART);
  });

const residentMb = async () => ((await freshScrape(url)).value('process_resident_memory_bytes') ?? 0) / MEGABYTE;

t.test('strangers at the door of agents fill no memory', async (t) => {
  const before = await residentMb();
  t.ok(before > 0);
  let [highest, written] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const offers = Array.from({ length: CONNECTIONS }, (_, i) => offer(`127.1.${i % 4}.${1 + (i >> 2)}`));
    highest = Math.max(highest, await residentMb());
    for (const bytes of await Promise.all(offers)) written += bytes;
    highest = Math.max(highest, await residentMb());
  }
  t.comment(
    `${before.toFixed(0)} MB before, ${highest.toFixed(0)} MB at most, ${(written / MEGABYTE).toFixed(0)} MB written`,
  );
  t.ok(highest - before < MAX_MB, `${(highest - before).toFixed(0)} MB more`);
  const answer = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${lab.apiKey}` } });
  t.equal(answer.status, 200);
});
