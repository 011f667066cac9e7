/** Sends one OPTIONS from the agent's SIP address, and evaluates the response for NAT and SIP ALG. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { type CheckResult, fail, unknown } from '@carillon/proto/check-result.ts';
import type { Config } from '../config.ts';
import { domainPredicate, reachPredicate } from '../policy/judge.ts';
import { readPolicy } from '../policy/policy.ts';
import { judgeWay, type Local, readAnswer } from './sip-way.ts';

/** Requests are retransmitted as a user agent would do (RFC 3261, 17.1.2). */
const AGAIN_MS = [0, 500, 1000, 2000];
const PATIENCE_MS = 5000;
const DEFAULT_PORT = 5060;
/**
 * Another agent answers unknown peers with at most the size of the request: its answer has its own header before the copy.
 */
const PADDING = 640;

/** `target`: HOST or HOST:PORT of a SIP server over UDP, preferably of another carillon-agent. */
export async function examineSipPath(config: Config, target: string): Promise<CheckResult[]> {
  const check = 'SIP path';
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(target);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined)
    return [fail(check, `${target} is not HOST or HOST:PORT`, 'carillon-agent doctor --sip-target HOST:PORT')];
  try {
    const policy = await readPolicy(config.policyFile);
    const address = isIP(host) === 0 ? (await lookup(host, isIP(config.sipAddress))).address : host;
    if (!domainPredicate(policy)(host) || !reachPredicate(policy)(address))
      return [fail(check, `the policy of this host forbids ${host} (${address})`, 'carillon-agent policy check')];
    return await ask(target, config.sipAddress, { address, port: Number(match?.[3] ?? DEFAULT_PORT) });
  } catch (error) {
    return [fail(check, `${target}: ${(error as Error).message}`, 'the name, the address, CARILLON_SIP_ADDRESS')];
  }
}

async function ask(name: string, from: string, to: Local): Promise<CheckResult[]> {
  const socket = createSocket(isIP(from) === 6 ? 'udp6' : 'udp4');
  const timers: NodeJS.Timeout[] = [];
  try {
    socket.bind(0, from);
    await once(socket, 'listening');
    const local = { address: from, port: socket.address().port };
    const text = requestOf(local, to);
    const answered = Promise.withResolvers<string | null>();
    socket.on('error', (error) => answered.reject(error));
    socket.on('message', (bytes) => {
      const response = bytes.toString('latin1');
      if (/^SIP\/2\.0 [2-6]/.test(response)) answered.resolve(response);
    });
    for (const ms of AGAIN_MS) timers.push(setTimeout(() => socket.send(text, to.port, to.address), ms));
    timers.push(setTimeout(() => answered.resolve(null), PATIENCE_MS));
    const response = await answered.promise;
    if (response === null)
      return [unknown('SIP path', `${name} does not answer OPTIONS over UDP within ${PATIENCE_MS / 1000} s`)];
    return judgeWay(name, text, local, readAnswer(response));
  } finally {
    for (const timer of timers) clearTimeout(timer);
    socket.close();
  }
}

/** The request has a session description, like an INVITE, because an ALG rewrites it. */
function requestOf(local: Local, to: Local): string {
  const at = ({ address, port }: Local): string => `${address.includes(':') ? `[${address}]` : address}:${port}`;
  const token = randomBytes(8).toString('hex');
  const family = local.address.includes(':') ? 'IP6' : 'IP4';
  const body = [
    'v=0',
    `o=- 1 1 IN ${family} ${local.address}`,
    's=-',
    `c=IN ${family} ${local.address}`,
    't=0 0',
    `m=audio ${local.port} RTP/AVP 0`,
    // The padding makes room for the largest accepted answer.
    `a=x-padding:${'x'.repeat(PADDING)}`,
    '',
  ].join('\r\n');
  return [
    `OPTIONS sip:${at(to)} SIP/2.0`,
    `Via: SIP/2.0/UDP ${at(local)};rport;branch=z9hG4bK${token}`,
    'Max-Forwards: 70',
    `From: <sip:doctor@${at(local)}>;tag=${token}`,
    `To: <sip:${at(to)}>`,
    `Call-ID: ${token}@${local.address}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:doctor@${at(local)}>`,
    'Accept: message/sipfrag',
    'Content-Type: application/sdp',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}
