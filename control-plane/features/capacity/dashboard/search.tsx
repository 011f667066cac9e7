/** One capacity search: its progress, and its answer with the knee, the trials, and what failed first. */
import { Alert, Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { call, queries, useCall } from '../../../dashboard/api.ts';
import { useMay } from '../../../dashboard/me.tsx';
import { Link, useParams } from '../../../dashboard/router.tsx';
import { Confirm } from '../../../dashboard/show/basics/confirm.tsx';
import { Figure } from '../../../dashboard/show/basics/figure.tsx';
import { count, DASH, duration, number, plural } from '../../../dashboard/show/basics/figures.ts';
import { Answer, Card, Page } from '../../../dashboard/show/basics/page.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { Mark } from '../../../dashboard/show/basics/words.tsx';
import { FindCapacity } from './find-capacity.tsx';
import KneeChart from './knee-chart.tsx';
import { draftOfSearch } from './search-draft.ts';
import {
  bracketOf,
  causeOf,
  FOUND_WORDS,
  OBJECTIVE,
  PHASE,
  type SearchSeen,
  STATUS,
  sloWords,
} from './search-words.ts';
import { TrialTable } from './trial-table.tsx';

const OPEN_MS = 1000;

export function CapacitySearchPage() {
  const { projectId, searchId } = useParams() as { projectId: string; searchId: string };
  const key = { projectId, capacitySearchId: searchId };
  const isOver = queries.getQueryData<SearchSeen>(['getCapacitySearch', key])?.endedAt != null;
  const search = useCall('getCapacitySearch', key, { everyMs: isOver ? false : OPEN_MS });
  return <Answer of={search}>{(s) => <Whole search={s as SearchSeen} />}</Answer>;
}

function Whole({ search }: { search: SearchSeen }) {
  const { projectId } = search;
  const may = useMay(projectId);
  const isOpen = search.endedAt === null;
  const [tone, word] = STATUS[search.status];
  return (
    <Page
      title={`Capacity of ${search.testName}`}
      over={
        <>
          <Anchor component={Link} to={`/projects/${projectId}/capacity`} size="sm">
            Capacity
          </Anchor>{' '}
          · started <Time at={search.createdAt} />
        </>
      }
      beside={
        <Mark tone={tone} moving={isOpen}>
          {word}
        </Mark>
      }
      actions={
        may('TESTER') &&
        (isOpen ? (
          <Confirm
            label="Stop"
            title="Stop this search?"
            size="lg"
            filled
            act={async () => {
              await call('cancelCapacitySearch', { projectId, capacitySearchId: search.id });
              await queries.invalidateQueries();
            }}
          >
            The current trial is cancelled. Results of ended trials are kept.
          </Confirm>
        ) : (
          <FindCapacity projectId={projectId} label="Search again" first={draftOfSearch(search)} />
        ))
      }
    >
      {search.error && (
        <Alert color="red" variant="outline" title="The search failed" role="alert">
          {search.error}
        </Alert>
      )}
      <Result search={search} />
      <KneeChart search={search} />
      <Card title="Trials" note="In their order; each is a run" pad={false}>
        {search.trials.length === 0 ? (
          <Text c="dimmed" size="sm" px={18} pb={16}>
            The first trial starts in a moment.
          </Text>
        ) : (
          <TrialTable search={search} />
        )}
      </Card>
      <Settings search={search} />
      {search.report && (
        <Card title="Report" note="In the form of RFC 7502, section 5">
          <pre className="message">{search.report.form}</pre>
        </Card>
      )}
    </Page>
  );
}

function Result({ search }: { search: SearchSeen }) {
  const { answer, trials, objective, endedAt } = search;
  const unit = OBJECTIVE[objective];
  const { passed, failed } = bracketOf(trials);
  const cause = causeOf(search);
  const current = endedAt === null ? trials.find(({ result }) => result === null) : undefined;
  const level = answer ? answer.level : passed;
  const [from, to] = answer ? [answer.from, answer.to] : [passed, failed];
  const took = (Date.parse(endedAt ?? new Date().toISOString()) - Date.parse(search.createdAt)) / 1000;
  const of = (n: number | null) => (n === null ? DASH : number(n, 1));
  return (
    <Card title={answer ? 'Result' : endedAt === null ? 'So far' : 'Until it ended'}>
      <Stack gap="md">
        {answer && (
          <Group gap="md">
            <Mark tone={FOUND_WORDS[answer.found][0]}>{FOUND_WORDS[answer.found][1]}</Mark>
            <Text>{answer.sentence}</Text>
          </Group>
        )}
        <SimpleGrid cols={{ base: 2, sm: 4 }} verticalSpacing="lg">
          <Figure name={answer ? 'Capacity' : 'Highest that passed'} value={of(level)} unit={unit} />
          <Figure
            name="Ceiling between"
            value={from === null && to === null ? DASH : `${of(from)} – ${to === null ? '?' : of(to)}`}
            note={to === null ? 'no level has failed' : 'no trial failed at the lower, none passed at the upper'}
          />
          <Figure
            name="Trials"
            value={count(trials.length)}
            note={current ? `now ${of(current.level)} ${unit}: ${PHASE[current.phase].toLowerCase()}` : undefined}
          />
          <Figure name="Took" value={duration(Math.max(0, took))} />
        </SimpleGrid>
        {cause !== null && (
          <div>
            <Text size="sm" c="dimmed">
              What failed first, at {of(cause.level)} {unit}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{cause.reason}</Text>
          </div>
        )}
      </Stack>
    </Card>
  );
}

function Settings({ search }: { search: SearchSeen }) {
  const { settings: s } = search;
  const unit = OBJECTIVE[search.objective];
  const rows: readonly (readonly [string, string])[] =
    search.method === 'RFC7502_STRICT'
      ? [
          ['Method', 'RFC 7502, strict: one failed session fails a step'],
          ['Sessions in each step', count(s.rfc7502?.sessions ?? 0)],
          ['First rate', `${count(s.rfc7502?.startRate ?? 0)} sessions/s`],
        ]
      : [
          ['Limits', s.slos.map(sloWords).join('; ')],
          ['Searched', `from ${number(s.least, 1)} to ${number(s.most, 1)} ${unit}, first ${number(s.start, 1)}`],
          ['Precision', `${number(s.precisionPercent, 1)} %, ${plural(s.confirmations, 'confirmation')} at both ends`],
          [
            'A trial',
            `${duration(s.trialSeconds)} after a warm-up of ${duration(s.warmUpSeconds)}, then ${duration(s.drainSeconds)} without load`,
          ],
          ['A call', duration(s.callSeconds)],
          ['Failures at any load', `up to ${number(s.backgroundFailureShare * 100, 3)} % are tolerated`],
        ];
  return (
    <Card title="Settings">
      <Stack gap={6}>
        {rows.map(([name, value]) => (
          <Group key={name} gap="md" wrap="nowrap" align="flex-start">
            <Text size="sm" c="dimmed" style={{ flex: '0 0 130px' }}>
              {name}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
              {value}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
