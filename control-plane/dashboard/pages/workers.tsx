/**
 * The workers, which are the agents that place the calls. One command enrolls a worker. It is drained before work on its host, and
 * revoked for good. Of many workers, groups and a search show some.
 */
import { Anchor, Button, Group } from '@mantine/core';
import { Suspense, useState } from 'react';
import { FEATURE_PAGES } from '../../feature-sums/pages.ts';
import { useCall, useChange } from '../api.ts';
import { useMay, useMe } from '../me.tsx';
import { Link } from '../router.tsx';
import { count, plural } from '../show/basics/figures.ts';
import { Answer, Card, Empty, Failed, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { SearchField } from '../show/basics/search-field.tsx';
import { useAddress } from '../show/basics/use-address.ts';
import { Enroll, type Enrolled, Token } from '../show/workers/enroll.tsx';
import { WorkerDrawer } from '../show/workers/worker-drawer.tsx';
import { GROUPINGS, WorkerGroups } from '../show/workers/worker-groups.tsx';
import { WorkerTable } from '../show/workers/worker-table.tsx';
import { filterOf, type WorkerSearch, workersQueryOf } from '../show/workers/worker-words.ts';

const ACTIONS = FEATURE_PAGES.flatMap(({ workersActions = [] }) => workersActions);
/** No filter. */
const NONE: WorkerSearch = Object.fromEntries(
  ['search', ...GROUPINGS.map(({ by }) => by)].map((by) => [by, undefined]),
);
/** So many workers are seen at a glance. */
const FEW = 10;

export function WorkersPage() {
  const me = useMe();
  const may = useMay();
  const [search, go] = useAddress<WorkerSearch>('page');
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const [shownId, setShownId] = useState<string | null>(null);
  const filter = filterOf(search, GROUPINGS);
  const isFiltered = Object.keys(filter).length > 0;
  const workers = useCall('listWorkers', workersQueryOf(search, GROUPINGS), { everyMs: 3000 });
  const fleet = useCall('getFleet', filter, { everyMs: 3000 });
  const renew = useChange('renewJoinToken', setEnrolled);
  const shown = workers.data?.rows.find((w) => w.id === shownId);
  const enroll = may('ADMIN') && <Enroll onEnrolled={setEnrolled} />;
  const isAny = isFiltered || (workers.data?.rows.length ?? 0) > 0;
  const filters = (isFiltered || (fleet.data?.workers ?? 0) > FEW) && (
    <Group gap="xs" px={18} py={14}>
      <SearchField
        label="Name or host"
        isLabelHidden
        placeholder="Name or host"
        width={220}
        value={search['search']}
        onTake={(text) => go({ search: text }, { replace: true })}
      />
      {fleet.data && (
        <span className="quiet">
          {plural(fleet.data.workers, 'worker')}, {count(fleet.data.online)} online
        </span>
      )}
      {isFiltered && (
        <Button size="xs" variant="subtle" onClick={() => go(NONE)}>
          Clear filters
        </Button>
      )}
    </Group>
  );
  return (
    <Page
      title="Workers"
      over={search['from'] ? <WayBack projectId={search['from']} /> : me.organization.name}
      actions={
        <>
          {ACTIONS.map(([key, Action]) => (
            <Suspense key={key} fallback={null}>
              <Action />
            </Suspense>
          ))}
          {isAny && enroll}
        </>
      }
    >
      {renew.error && <Failed error={renew.error} />}
      {fleet.data && <WorkerGroups fleet={fleet.data} search={search} onChoose={go} />}
      <Card pad={false}>
        {filters}
        <Answer of={workers}>
          {({ rows, pagination }) =>
            rows.length === 0 && isFiltered ? (
              <Empty title="No matching worker">Change the filters, or clear them.</Empty>
            ) : rows.length === 0 ? (
              <Empty title="No agent yet" action={enroll}>
                An agent runs on a host of yours, places real SIP calls from there and measures their media. Enroll one:
                you get a command to run on that host.
                {!enroll && ' Ask an administrator of your organization to enroll one.'}
              </Empty>
            ) : (
              <>
                <WorkerTable rows={rows} onShow={setShownId} onRenew={(workerId) => renew.mutate({ workerId })} />
                <Pages pagination={pagination} what="workers" onPage={(n) => go({ page: String(n) })} />
              </>
            )
          }
        </Answer>
      </Card>
      {enrolled && (
        <Token
          enrolled={enrolled}
          onClose={() => setEnrolled(null)}
          onRenew={() => renew.mutate({ workerId: enrolled.id })}
        />
      )}
      {shown && <WorkerDrawer worker={shown} onClose={() => setShownId(null)} />}
    </Page>
  );
}

/** The step for users who come here from the first steps of a project. */
function WayBack({ projectId }: { projectId: string }) {
  const project = useCall('getProject', { projectId });
  return (
    <Anchor component={Link} to={`/projects/${projectId}`} size="sm">
      Back to {project.data?.name ?? 'the project'}
    </Anchor>
  );
}
