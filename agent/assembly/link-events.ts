/** What the agent does with what comes over the link. */
import { type Link, uuidText } from '../link/link.ts';
import type { LinkEvents } from '../link/link-options.ts';
import type { Book } from '../run/allocation/book.ts';
import { obey } from './orders.ts';
import type { Playback } from './playback.ts';

type Parts = { readonly book: Book; readonly link: Link; readonly recordings: Playback['recordings'] };
type Told = Required<Pick<LinkEvents, 'hello' | 'onKey'>> & {
  readonly onWelcome: (worker: { readonly name: string; readonly region: string }) => void;
  readonly breaks: (error: Error) => void;
};

export const linkEvents = (
  { book, link, recordings }: Parts,
  { hello, onKey, onWelcome, breaks }: Told,
): LinkEvents => ({
  hello,
  onKey,
  onWelcome: (welcome) => {
    onWelcome({ name: welcome.name, region: welcome.region });
    book.committed(Number(welcome.nextBatch) - 1);
    book.forget(welcome.stopAllocationIds.map(uuidText), 'the control plane no longer wants this allocation');
    book.hold(false);
    recordings.onWelcome();
  },
  onMediaChunk: (chunk) => recordings.onChunk(chunk),
  onCommand: (command) => obey(command, book, link),
  onCommitted: (number) => book.committed(number),
  onRenumbered: (by) => book.renumbered(by),
  onRefused: (code, message) => breaks(new Error(`The control plane refuses this agent (${code}): ${message}`)),
});
