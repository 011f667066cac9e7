/** Handles events of the link. */

import { uuidText } from '@carillon/proto/base/uuid.ts';
import type { Link } from '../link/link.ts';
import type { LinkEvents } from '../link/link-options.ts';
import type { Book } from '../run/allocation/book.ts';
import { obey } from './obey.ts';
import type { Playback } from './playback.ts';
import type { Storage } from './storage.ts';

type Parts = {
  readonly book: Book;
  readonly link: Link;
  readonly recordings: Playback['recordings'];
  readonly storage: Storage;
};
type LinkHandlers = Required<Pick<LinkEvents, 'hello' | 'onKey' | 'onCopied'>> & {
  readonly onWelcome: (worker: { readonly name: string; readonly region: string }) => void;
  readonly breaks: (error: Error) => void;
};

export const linkEvents = (
  { book, link, recordings, storage }: Parts,
  { hello, onKey, onCopied, onWelcome, breaks }: LinkHandlers,
): LinkEvents => {
  let takesStorageFaults = false;
  const tellStorage = (fault: string) => takesStorageFaults && link.send({ storageFault: { fault } });
  storage.watch(tellStorage);
  return {
    hello,
    onKey,
    onCopied,
    onWelcome: (welcome) => {
      onWelcome({ name: welcome.name, region: welcome.region });
      book.committed(Number(welcome.nextBatch) - 1);
      book.forget(welcome.stopAllocationIds.map(uuidText), 'the control plane has released this allocation');
      book.hold(false);
      recordings.onWelcome();
      takesStorageFaults = welcome.takesStorageFaults;
      if (storage.fault !== '') tellStorage(storage.fault);
    },
    onMediaChunk: (chunk) => recordings.onChunk(chunk),
    onCommand: (command) => {
      obey(command, book, link);
      if (command.allocate && storage.fault !== '') tellStorage(storage.fault);
    },
    onCommitted: (number) => book.committed(number),
    onRenumbered: (by) => book.renumbered(by),
    onRefused: (code, message) => breaks(new Error(`The control plane refuses this agent (${code}): ${message}`)),
  };
};
