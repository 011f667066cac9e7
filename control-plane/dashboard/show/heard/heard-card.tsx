/** What callers heard: how many heard audio, for what share of the time, and the findings of the others. */
import { Anchor, Group, SimpleGrid, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { Link } from '../../router.tsx';
import { Figure } from '../basics/figure.tsx';
import { count, plural } from '../basics/figures.ts';
import { Card } from '../basics/page.tsx';
import { Mark } from '../basics/words.tsx';
import { Examples } from './examples.tsx';
import { causedBy, weightOf } from './finding-words.ts';
import { figuresOf, findingShare, partsOf, quietLine } from './heard.ts';

type Run = Output<'getTestRun'>;
type Finding = Run['findings'][number];
type Props = { readonly projectId: string; readonly run: Run };

export function HeardCard({ projectId, run }: Props) {
  const { callQuality: q, findings } = run;
  const isOpen = run.endedAt === null;
  const [tone, quiet] = quietLine(q, isOpen);
  if (q.calls === 0 && findings.length === 0) return null;
  return (
    <Card title="What callers heard" {...(isOpen && { note: 'So far' })}>
      <Parts run={run} />
      <SimpleGrid cols={{ base: 2, sm: 4 }} verticalSpacing="lg" mt="lg">
        {figuresOf(q).map((figure) => (
          <Figure key={figure.name} {...figure} />
        ))}
      </SimpleGrid>
      {findings.length === 0 ? (
        <Text mt="lg" component="div">
          <Mark tone={tone} wraps>
            {quiet}
          </Mark>
        </Text>
      ) : (
        <ul className="found" aria-label="Findings">
          {findings.map((f) => (
            <FindingRow key={f.finding + f.endpointType} projectId={projectId} runId={run.id} finding={f} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** One bar that shows all calls. */
function Parts({ run: { callQuality } }: { run: Run }) {
  const parts = partsOf(callQuality);
  return (
    <>
      <div className="bar" aria-hidden>
        {parts.map((p) => (
          <span key={p.name} className={p.tone} style={{ flexGrow: p.calls }} />
        ))}
      </div>
      <Group gap="4px 20px" mt={8}>
        <Text size="sm" fw={600}>
          {plural(callQuality.calls, 'call')}
        </Text>
        {parts.map((p) => (
          <Text key={p.name} size="sm" component="div">
            <Mark tone={p.tone}>
              {count(p.calls)} {p.name}
            </Mark>
          </Text>
        ))}
      </Group>
    </>
  );
}

type RowProps = { readonly projectId: string; readonly runId: string; readonly finding: Finding };

function FindingRow({ projectId, runId, finding: f }: RowProps) {
  const [tone, word] = weightOf({ severity: f.severity, tolerated: f.tolerated === f.count });
  const run = `/projects/${projectId}/runs/${runId}`;
  const all = new URLSearchParams({ finding: f.finding, type: f.endpointType });
  return (
    <li>
      <Mark tone={tone}>{word}</Mark>
      <div className="found-what">
        <b>{f.title}</b>
        <div className="quiet">
          Found by {f.endpointType === 'CALLER' ? 'callers' : 'callees'}, {causedBy(f.party)}
        </div>
      </div>
      <div className="found-share">
        {findingShare(f)}
        {f.answered > 0 && (
          <div className={`bar ${tone}`} aria-hidden>
            <span style={{ width: `${f.sharePercent}%` }} />
          </div>
        )}
      </div>
      <Group gap="md" className="found-links">
        <Anchor component={Link} to={`${run}?${all}`} hash="endpoints" size="sm" className="target">
          {f.count === 1 ? 'Show in list' : `All ${count(f.count)}`}
        </Anchor>
        <Examples run={run} ids={f.exampleEndpointIds} of={all} />
      </Group>
    </li>
  );
}
