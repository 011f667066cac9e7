/** SIP messages as a text ladder: the endpoint on the left, a column for each peer. Pure. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import type { Output } from '../../contract/catalogue.ts';
import type { Paint } from '../io.ts';
import { shortened } from '../text/table.ts';

export type LadderLine = Output<'listTestRunMessages'>;

const TIME = 12;
/** Narrower columns have no space for a status and its reason. */
const MIN_COLUMN = 26;
const MAX_COLUMN = 44;

/** @param nameOf the message in a few words, as `486 Busy Here` */
export function ladderOf(
  messages: readonly LadderLine[],
  endpoint: string,
  nameOf: (message: LadderLine) => string,
  width: number,
  paint: Paint,
): string[] {
  const [first] = messages;
  if (first === undefined) return [];
  const peers = [...new Set(messages.map(({ peer }) => peer))];
  const room = Math.max(1, Math.floor((width - TIME - 1) / MIN_COLUMN));
  // Peers beyond the width share the last column, and their arrows name them.
  const columns = peers.slice(0, room);
  const wide = Math.min(MAX_COLUMN, Math.floor((width - TIME - 1) / columns.length));
  const began = Date.parse(first.at);
  const rails = columns.map(() => `${' '.repeat(wide - 1)}│`).join('');
  const heads = columns.map((peer) => shortened(plain(peer), wide - 2).padStart(wide)).join('');
  return [
    `${' '.repeat(TIME)}${paint('bold', shortened(plain(endpoint), wide - 2))}${heads.slice(Math.min(plain(endpoint).length, wide - 2))}`,
    `${' '.repeat(TIME)}│${rails}`,
    ...messages.map((message) => {
      const index = Math.max(0, columns.indexOf(message.peer));
      const isShared = !columns.includes(message.peer);
      const again = message.retransmission ? ', again' : '';
      const label = `${plain(nameOf(message))}${again}${isShared ? ` (${plain(message.peer)})` : ''}`;
      const span = wide * (columns.includes(message.peer) ? index + 1 : columns.length) - 1;
      const rest = rails.slice(span + 1);
      return `${timeOf(Date.parse(message.at) - began)}│${coloured(message, arrow(message.direction, label, span), paint)}│${rest}`;
    }),
    `${' '.repeat(TIME)}│${rails}`,
  ];
}

/** The time since the first message. */
const timeOf = (ms: number): string =>
  `${ms < 60_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`}`.padStart(TIME - 2).padEnd(TIME);

function arrow(direction: LadderLine['direction'], label: string, span: number): string {
  const text = ` ${shortened(label, span - 6)} `;
  const left = Math.floor((span - text.length) / 2);
  const line = `${'─'.repeat(left)}${text}${'─'.repeat(span - left - text.length)}`;
  return direction === 'SENT' ? `${line.slice(0, -1)}▶` : `◀${line.slice(1)}`;
}

function coloured({ statusCode, retransmission }: LadderLine, text: string, paint: Paint): string {
  if (retransmission) return paint('yellow', text);
  if (statusCode === null) return paint('cyan', text);
  return paint(statusCode >= 400 ? 'red' : statusCode >= 200 ? 'green' : 'dim', text);
}
