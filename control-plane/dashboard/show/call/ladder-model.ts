/**
 * Both legs of a call as one ladder, with columns, and rungs in order of time. A message that went directly from the caller to
 * the callee is one rung with both instants. Pure.
 */
import type { Output } from '../../../contract/catalogue.ts';

export type LadderMessage = Output<'listTestRunMessages'>;

export type Rung = {
  readonly message: LadderMessage;
  /** The same message as seen by the other end; null: only one end is ours, or a server is between them. */
  readonly seen: LadderMessage | null;
  /** The indexes of columns. */
  readonly from: number;
  readonly to: number;
  /** The time since the rung above; null: this is the first rung. */
  readonly deltaMs: number | null;
};

export type LadderColumn = { readonly title: string; readonly says: string };
export type LadderModel = { readonly columns: readonly LadderColumn[]; readonly rungs: readonly Rung[] };

type Ends = {
  /** Null: the other end is not ours. */
  readonly caller: string | null;
  readonly callee: string | null;
};

const peersOf = (messages: readonly LadderMessage[]): string[] => [...new Set(messages.map((m) => m.peer))];
/** A key that is the same for one message on both hosts. */
const likeness = (m: LadderMessage): string => [m.callId, m.method, m.statusCode, m.lengthBytes].join(' ');

/** The messages must be in order of time. */
export function ladderOf(messages: readonly LadderMessage[], { caller, callee }: Ends): LadderModel {
  const near = messages.filter((m) => m.endpointId === caller);
  const far = messages.filter((m) => m.endpointId === callee);
  const title = (id: string | null, what: string) => ({ title: what, says: id === null ? '' : 'endpoint of this run' });
  if (caller !== null && callee !== null && isDirect(near, far)) {
    return {
      columns: [title(caller, 'Caller'), title(callee, 'Callee')],
      rungs: withDeltas(paired(messages, caller)),
    };
  }
  const [nearPeers, farPeers] = [peersOf(near), peersOf(far)];
  const isOneBetween = farPeers.length > 0 && farPeers.some((peer) => nearPeers.includes(peer));
  const places: (readonly string[])[] = isOneBetween
    ? [[...new Set([...nearPeers, ...farPeers])]]
    : [nearPeers, farPeers].filter((p) => p.length > 0);
  const first = caller === null ? 0 : 1;
  const columns: LadderColumn[] = [
    ...(caller === null ? [] : [title(caller, 'Caller')]),
    ...places.map((place) => ({ title: place.join(', '), says: 'the other side' })),
    ...(callee === null ? [] : [title(callee, 'Callee')]),
  ];
  const rungs = messages.map((message) => {
    const isNear = message.endpointId === caller;
    const own = isNear ? 0 : columns.length - 1;
    const other = isNear ? first : columns.length - 2;
    const [from, to] = message.direction === 'SENT' ? [own, other] : [other, own];
    return { message, seen: null, from, to };
  });
  return { columns, rungs: withDeltas(rungs) };
}

/** True: the ends are directly connected, because the received bytes equal the sent ones. A proxy would add headers. */
function isDirect(near: readonly LadderMessage[], far: readonly LadderMessage[]): boolean {
  const received = new Set(far.filter((m) => m.direction === 'RECEIVED').map(likeness));
  return near.some((m) => m.direction === 'SENT' && received.has(likeness(m)));
}

type Bare = Omit<Rung, 'deltaMs'>;

function paired(messages: readonly LadderMessage[], caller: string): Bare[] {
  const open = new Map<string, LadderMessage[]>();
  const seen = new Map<string, LadderMessage>();
  const isSeen = new Set<string>();
  for (const m of messages.filter((m) => m.direction === 'RECEIVED')) {
    const key = `${m.endpointId} ${likeness(m)}`;
    open.set(key, [...(open.get(key) ?? []), m]);
  }
  const ends = [...new Set(messages.map((m) => m.endpointId))];
  for (const m of messages.filter((m) => m.direction === 'SENT')) {
    const other = ends.find((id) => id !== m.endpointId);
    const found = open.get(`${other} ${likeness(m)}`)?.shift();
    if (!found) continue;
    seen.set(m.id, found);
    isSeen.add(found.id);
  }
  return messages
    .filter((m) => !isSeen.has(m.id))
    .map((message) => {
      const leaves = (message.endpointId === caller) === (message.direction === 'SENT');
      return { message, seen: seen.get(message.id) ?? null, from: leaves ? 0 : 1, to: leaves ? 1 : 0 };
    });
}

const withDeltas = (rungs: readonly Bare[]): Rung[] =>
  rungs.map((rung, i) => {
    const before = rungs[i - 1];
    return { ...rung, deltaMs: before ? Date.parse(rung.message.at) - Date.parse(before.message.at) : null };
  });

export type ClockBounds = { readonly minMs: number; readonly maxMs: number };

/**
 * How far the callee's clock may be ahead of the caller's. The limit follows from messages: none arrives before it was sent, even
 * through a server. null: messages in both directions are missing. A response that the caller got before the callee was called
 * does not come from the callee.
 */
export function clockBounds(messages: readonly LadderMessage[], { caller, callee }: Ends): ClockBounds | null {
  const at = (endpoint: string | null, direction: LadderMessage['direction'], is: (m: LadderMessage) => boolean) => {
    const found = messages.find((m) => m.endpointId === endpoint && m.direction === direction && is(m));
    return found === undefined ? Number.NaN : Date.parse(found.at);
  };
  const isRequest = (method: string) => (m: LadderMessage) => m.statusCode === null && m.method === method;
  const isAnswer = (m: LadderMessage) => m.method === 'INVITE' && Math.floor((m.statusCode ?? 0) / 100) === 2;
  const invited = at(callee, 'RECEIVED', isRequest('INVITE'));
  const answeredAt = at(caller, 'RECEIVED', isAnswer);
  const most = [
    invited - at(caller, 'SENT', isRequest('INVITE')),
    at(callee, 'RECEIVED', isRequest('BYE')) - at(caller, 'SENT', isRequest('BYE')),
  ].filter(Number.isFinite);
  const least = [
    invited < answeredAt ? at(callee, 'SENT', isAnswer) - answeredAt : Number.NaN,
    at(callee, 'SENT', isRequest('BYE')) - at(caller, 'RECEIVED', isRequest('BYE')),
  ].filter(Number.isFinite);
  const [minMs, maxMs] = [Math.max(...least), Math.min(...most)];
  return least.length > 0 && most.length > 0 && minMs <= maxMs ? { minMs, maxMs } : null;
}

/** The message whose SDP this one's may answer (RFC 3264): a response's request, or an ACK's 2xx. null: no such message. */
export function offerOf(message: LadderMessage, messages: readonly LadderMessage[]): LadderMessage | null {
  const before = messages.slice(
    0,
    messages.findIndex((m) => m.id === message.id),
  );
  const answers = (m: LadderMessage): boolean =>
    message.statusCode !== null
      ? m.statusCode === null && m.method === message.method
      : message.method === 'ACK' && m.statusCode !== null && m.statusCode < 300 && m.method === 'INVITE';
  return (
    before.findLast(
      (m) =>
        m.endpointId === message.endpointId &&
        m.callId === message.callId &&
        m.direction !== message.direction &&
        answers(m),
    ) ?? null
  );
}
