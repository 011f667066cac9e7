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

/** Shows as much as there is room for; the rest is there on hover, and by copying. */
export const CallIdCell = ({ callId }: { callId: string | null }) =>
  callId === null ? (
    <div>{DASH}</div>
  ) : (
    <div className="call-id" title={callId}>
      <span>{callId}</span>
      <CopyMark text={callId} label="Call-ID" />
    </div>
  );

export function EndingCell({ of, sentence }: { of: CallEnding; sentence?: string | undefined }) {
  const { tone, title, why } = endingWords(of);
  return (
    <div title={sentence ?? [title, why].filter(Boolean).join('\n')}>
      <Mark tone={tone}>{title}</Mark>
      {why !== '' && <small>{why}</small>}
    </div>
  );
}
