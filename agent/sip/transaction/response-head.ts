/** The parts that every response copies from its request (RFC 3261, 8.2.6), and its destination (18.2.2). */
import type { SipTarget } from '../engine.ts';
import type { SipMessage } from '../message/sip-message.ts';
import { responsePort, stampVia, type Via } from '../message/via.ts';

export function responseTarget(via: Via, source: SipTarget): SipTarget {
  const port = source.transport === 'UDP' ? responsePort(via, source.port) : source.port;
  return port === source.port ? source : { ...source, port };
}

/** Via, From and To, whose line may end with our tag. */
export function viaToTo(request: SipMessage, via: Via, { address, port }: SipTarget): string {
  const below = request.hasSeveralVias ? viasBelow(request) : '';
  return `Via: ${stampVia(request.via, via, address, port)}\r\n${below}From: ${request.from}\r\nTo: ${request.to}`;
}

export const callAndSequence = (callId: string, request: SipMessage): string =>
  `\r\nCall-ID: ${callId}\r\nCSeq: ${request.cseqText}\r\n`;

const viasBelow = (request: SipMessage): string =>
  request
    .headerLines('via')
    .slice(1)
    .map((via) => `Via: ${via}\r\n`)
    .join('');
