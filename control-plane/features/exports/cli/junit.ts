/** A run as JUnit XML, with one case for the run and one for each limit. Pure. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import type { RunOutcome } from '../../../cli/options.ts';
import type { LimitCheck } from '../../../cli/run/limits.ts';
import { failuresOf } from '../../../cli/run/live.ts';
import { measured } from '../../../cli/text/figures.ts';

// XML 1.0 does not allow these characters (2.2, Char).
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(NO_CHARACTER, '\u{fffd}')
    .replace(/[&<>"]/g, (one) => ENTITIES[one] as string);

type Attributes = Readonly<Record<string, string | number>>;
const tag = (name: string, attributes: Attributes, children: readonly string[] = []): string => {
  const texts = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(plain(String(value).replace(/[\n\r\t]/g, ' ')))}"`,
  );
  const open = `<${name}${texts.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
};

type Outcome = Omit<RunOutcome, 'tables'>;

export function junitOf({ run, judgement: { checks, code, sentence }, url }: Outcome): string {
  const seconds =
    run.endedAt === null ? 0 : (Date.parse(run.endedAt) - Date.parse(run.startedAt ?? run.submittedAt)) / 1000;
  const time = seconds.toFixed(3);
  const classname = `carillon.${run.testName}`;
  // Anything that kept the run from being judged is an error; a limit that was crossed is a failure.
  const isJudged = code === EXIT.GOOD || code === EXIT.THRESHOLD_CROSSED;
  const reason = code === EXIT.NOT_VALID ? `${sentence} ${run.validity?.sentence ?? ''}`.trim() : sentence;
  const own = tag(
    'testcase',
    { name: 'run', classname, time },
    isJudged ? [] : [tag('error', { message: reason, type: run.status })],
  );
  const cases = [own, ...checks.map((one) => caseOf(one, classname))];
  const failures = checks.filter(({ passed }) => !passed).length;
  const counts = { tests: cases.length, failures, errors: isJudged ? 0 : 1, time };
  const properties = tag(
    'properties',
    {},
    Object.entries({
      testRunId: run.id,
      status: run.status,
      verdict: run.validity?.verdict ?? 'none',
      calls: run.callTiming.totalCalls,
      failures: run.progress.failures,
      url,
      ...Object.fromEntries(Object.entries(run.labels ?? {}).map(([name, value]) => [`label.${name}`, value])),
    }).map(([name, value]) => tag('property', { name, value })),
  );
  const texts = failuresOf(run)
    .map(({ text, count }) => `${count} x ${plain(text)}`)
    .join('\n');
  const suite = tag(
    'testsuite',
    {
      name: run.testName,
      timestamp: (run.startedAt ?? run.submittedAt).slice(0, 19),
      hostname: 'carillon',
      skipped: 0,
      ...counts,
    },
    [properties, ...cases, ...(texts === '' ? [] : [`<system-out>${escaped(texts)}</system-out>`])],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tag('testsuites', { name: 'carillon', ...counts }, [suite])}\n`;
}

const caseOf = (c: LimitCheck, classname: string): string => {
  const found = measured(c.measured, c.unit);
  const message = `${c.name}: ${found}, wanted ${c.limit} ${c.unit}`.trim();
  return tag(
    'testcase',
    { name: c.name, classname, time: '0.000' },
    c.passed ? [] : [tag('failure', { message, type: c.by })],
  );
};
