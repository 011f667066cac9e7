/** How a call that goes nowhere ends: the answer of its far end and the times between its moments, drawn from one seed. */
import type { Random } from '@carillon/media/seeded.ts';
import type { Traffic } from '../../../../agent/sip/traffic.ts';

export const OK = 200;

/** The moments of a call after its INVITE, in order. */
export const CALL = {
  ANSWERED: ['RINGING', 'ANSWERED', 'LEFT', 'CLOSED'],
  REFUSED: ['RINGING', 'CLOSED'],
} as const;

export type DrawnCall = {
  readonly status: number;
  readonly reason: string;
  readonly lateMs: number;
  /** From each moment to the next one. */
  readonly afterMs: readonly [number, number, number, number];
  readonly endedBy: 'LOCAL' | 'REMOTE';
};

/** The part of calls that the far end refuses. */
const REFUSALS = [
  { part: 0.03, status: 486, reason: 'Busy Here' },
  { part: 0.015, status: 503, reason: 'Service Unavailable' },
  { part: 0.005, status: 404, reason: 'Not Found' },
] as const;
const ACCEPTED = { status: OK, reason: 'OK' } as const;

/** Half of the calls ring by this time. The rest of the distribution has the shape of a trunk's: lognormal, with a long tail. */
const RINGS_MS = 40;
const SPREAD = 0.8;
const ANSWERS_MS = 60;
const MAX_MS = 2000;
/** The far end leaves before the call is as long as it was ordered. */
const TALKS_MS = 300;

export function drawnCall(random: Random, callDurationMs: number): DrawnCall {
  const { status, reason } = answerOf(random());
  const talkMs = -TALKS_MS * Math.log(1 - random());
  return {
    status,
    reason,
    lateMs: random(),
    afterMs: [
      lognormal(random, RINGS_MS),
      lognormal(random, ANSWERS_MS),
      Math.min(talkMs, callDurationMs),
      1 + random(),
    ],
    endedBy: talkMs < callDurationMs ? 'REMOTE' : 'LOCAL',
  };
}

function answerOf(place: number): { readonly status: number; readonly reason: string } {
  let left = place;
  for (const refusal of REFUSALS) {
    left -= refusal.part;
    if (left < 0) return refusal;
  }
  return ACCEPTED;
}

function lognormal(random: Random, medianMs: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(MAX_MS, medianMs * Math.exp(SPREAD * normal));
}

const message = (direction: Traffic['direction'], method: string, status = 0, reason = ''): Traffic => ({
  ...{ direction, method, status, reason, atMs: 0, retransmission: false, callId: '', transport: 'UDP' },
  ...{ peerAddress: '127.0.0.1', peerPort: 9, localPort: 0, text: '' },
});
const INVITE = message('SENT', 'INVITE');
const RINGING = message('RECEIVED', 'INVITE', 180, 'Ringing');
const ACK = message('SENT', 'ACK');
const ACCEPTING = message('RECEIVED', 'INVITE', OK, 'OK');
const BYES = {
  LOCAL: [message('SENT', 'BYE'), message('RECEIVED', 'BYE', OK, 'OK')],
  REMOTE: [message('RECEIVED', 'BYE'), message('SENT', 'BYE', OK, 'OK')],
} as const;
const ANSWERED = {
  LOCAL: [INVITE, RINGING, ACCEPTING, ACK, ...BYES.LOCAL],
  REMOTE: [INVITE, RINGING, ACCEPTING, ACK, ...BYES.REMOTE],
} as const;
const REFUSED = new Map<number, readonly Traffic[]>(
  REFUSALS.map(({ status, reason }) => [status, [INVITE, RINGING, message('RECEIVED', 'INVITE', status, reason), ACK]]),
);

/** The messages of the whole call, by their kinds. */
export const sipMessages = ({ status, endedBy }: DrawnCall): readonly Traffic[] =>
  REFUSED.get(status) ?? ANSWERED[endedBy];
