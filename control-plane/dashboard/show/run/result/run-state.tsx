/** A run's state, in the colour of its result, with its result. */
import { RUN } from '../../basics/tones.ts';
import { Mark } from '../../basics/words.tsx';
import { gateMark } from '../../heard/passed.ts';
import { foundWords, type RunSeen, resultTextOf } from './run-result.ts';

/** The status in the colour of the result, and the result in words below, unless it is shown beside the status. */
export function RunState({ run, wordless = false }: { run: RunSeen; wordless?: boolean }) {
  const { tone, words } = resultTextOf(run);
  const found = foundWords(run);
  return (
    <>
      <Mark tone={tone} moving={tone === 'accent'}>
        {RUN[run.status][1]}
      </Mark>
      {!wordless && <Passed run={run} />}
      {words && !wordless && <div className="quiet">{words}</div>}
      {found !== null && !wordless && <div className="quiet">{found}</div>}
    </>
  );
}

/** Whether the run passed the thresholds of its test. This is empty if they were not judged. */
function Passed({ run: { result } }: { run: RunSeen }) {
  const passed = result?.passed ?? null;
  if (passed === null) return null;
  const [tone, word] = gateMark(passed);
  return (
    <span className="beside">
      <Mark tone={tone}>{word}</Mark>
    </span>
  );
}
