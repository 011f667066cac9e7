/** What a run came to, or its status while it has no result: a mark, and the faults that its calls had. */
import { outcomeOf } from '../../../../contract/run-outcome.ts';
import { Mark } from '../../basics/words.tsx';
import { capital, foundWords, type RunSeen } from './run-result.ts';

export function RunState({ run }: { run: RunSeen }) {
  const { tone, sentence } = outcomeOf(run.status, run.result);
  const found = foundWords(run);
  return (
    <>
      <Mark tone={tone} moving={tone === 'accent'} wraps>
        {capital(sentence)}
      </Mark>
      {found !== null && <div className="quiet">{found}</div>}
    </>
  );
}
