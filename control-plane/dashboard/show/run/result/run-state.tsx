/** What a run came to, or its status while it has no result: a mark, and the faults that its calls had. */
import { outcomeOf } from '../../../../contract/run-outcome.ts';
import { Mark } from '../../basics/words.tsx';
import { capital, foundWords, type RunSeen } from './run-result.ts';

/** `short`: where the page has the whole sentence. */
export function RunState({ run, short = false }: { run: RunSeen; short?: boolean }) {
  const { tone, words, sentence } = outcomeOf(run.status, run.result);
  const found = foundWords(run);
  return (
    <>
      <Mark tone={tone} moving={tone === 'accent'} wraps>
        {capital(short ? words[0] : sentence)}
      </Mark>
      {found !== null && !short && <div className="quiet">{found}</div>}
    </>
  );
}
