/** What workers have in common, and how many have it. A group that is chosen is in the address, and shows its workers only. */
import { Button, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { FEATURE_PAGES } from '../../../feature-sums/pages.ts';
// All packages of a control plane have one version.
import { version } from '../../package.json';
import { count } from '../basics/figures.ts';
import { Card } from '../basics/page.tsx';
import { CORE_GROUPINGS, versionWords, type WorkerGrouping, type WorkerSearch } from './worker-words.ts';

export const FEATURE_GROUPINGS = FEATURE_PAGES.flatMap(({ workerGroupings = [] }) => workerGroupings);
export const GROUPINGS: readonly WorkerGrouping[] = [...CORE_GROUPINGS, ...FEATURE_GROUPINGS];

type Fleet = Output<'getFleet'>;
type Props = {
  readonly fleet: Fleet;
  readonly search: WorkerSearch;
  readonly onChoose: (change: WorkerSearch) => void;
};

/** Nothing, where all workers are alike. */
export function WorkerGroups({ fleet, search, onChoose }: Props) {
  const shown = GROUPINGS.map((grouping) => ({
    grouping,
    groups: fleet.groups.filter(({ by }) => by === grouping.by),
  })).filter(({ grouping: { by }, groups }) => groups.length > 1 || (search[by] !== undefined && groups.length > 0));
  if (shown.length === 0) return null;
  return (
    <Card title="Groups" note="Workers that are online, of all in the group. Choose one to see only its workers.">
      <div className="groups">
        {shown.map(({ grouping, groups }) => (
          <Grouping
            key={grouping.by}
            grouping={grouping}
            groups={groups}
            chosen={search[grouping.by]}
            onChoose={(value) => onChoose({ [grouping.by]: value })}
          />
        ))}
      </div>
    </Card>
  );
}

const FIRST = 6;

type GroupingProps = {
  readonly grouping: WorkerGrouping;
  readonly groups: Fleet['groups'];
  readonly chosen: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
};

function Grouping({ grouping, groups, chosen, onChoose }: GroupingProps) {
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? groups : groups.slice(0, FIRST);
  return (
    <section aria-label={grouping.title}>
      <Text component="h3" size="sm" fw={650} mb={4}>
        {grouping.title}
      </Text>
      {rows.map(({ value, workers, online }) => (
        <UnstyledButton
          key={value}
          className="group"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value === chosen ? undefined : value)}
        >
          <span>{wordsOf(grouping, value)}</span>
          <span className="quiet">
            {grouping.by === 'state' || online === workers ? count(workers) : `${count(online)} of ${count(workers)}`}
          </span>
        </UnstyledButton>
      ))}
      {groups.length > rows.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          Show all {count(groups.length)}
        </Button>
      )}
    </section>
  );
}

function wordsOf({ by, words, none }: WorkerGrouping, value: string): string {
  if (value === 'none' && none !== undefined) return none;
  if (by === 'version') return versionWords(value, version);
  const word = words?.[value];
  return word ? word.charAt(0).toUpperCase() + word.slice(1) : value;
}
