/** What lists say of a call, cell by cell: when, whom it called, its Call-ID, and what became of it. */
import { CopyMark } from '../basics/copy.tsx';
import { DASH } from '../basics/figures.ts';
import { Mark } from '../basics/words.tsx';
import { type CallEnding, calledWords, clockWords, endingWords } from './call-words.ts';

/** Null: no INVITE was sent. Texts for hovering are titles: a tooltip of a library costs more than the rest of its row. */
export function WhenCell({ at }: { at: string | null }) {
  if (at === null) return <div>{DASH}</div>;
  const { time, exact } = clockWords(at);
  return (
    <div title={exact}>
      <time dateTime={at}>{time}</time>
      <small>{at.slice(0, 10)}</small>
    </div>
  );
}

export function CalledCell({ uri }: { uri: string }) {
  const { number, host } = calledWords(uri);
  return (
    <div title={uri}>
      {number}
      {host !== '' && <small>{host}</small>}
    </div>
  );
}

/** Those of one agent begin alike, and have one host: these last characters before it tell them apart. */
const TAIL = 6;

/** Shows as much as there is room for, and always what differs; the rest is there on hover, and by copying. */
export function CallIdCell({ callId }: { callId: string | null }) {
  if (callId === null) return <div>{DASH}</div>;
  const [local = ''] = callId.split('@');
  return (
    <div className="call-id" title={callId}>
      <span>{local.slice(0, -TAIL)}</span>
      <span className="call-id-end">{local.slice(-TAIL)}</span>
      <span className="call-id-host">{callId.slice(local.length)}</span>
      <CopyMark text={callId} label="Call-ID" />
    </div>
  );
}

export function EndingCell({ of, sentence }: { of: CallEnding; sentence?: string | undefined }) {
  const { tone, title, why } = endingWords(of);
  return (
    <div title={sentence ?? [title, why].filter(Boolean).join('\n')}>
      <Mark tone={tone}>{title}</Mark>
      {why !== '' && <small>{why}</small>}
    </div>
  );
}
