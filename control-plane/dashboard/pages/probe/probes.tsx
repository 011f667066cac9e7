/** The probes of a project, with their state and latest execution. */
import { Anchor, Button, Table, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { Link, navigate, useParams, useSearch } from '../../router.tsx';
import { Answer, Card, Page } from '../../show/basics/page.tsx';
import { Pages } from '../../show/basics/pages.tsx';
import { Time } from '../../show/basics/time.tsx';
import { plain } from '../../show/basics/words.tsx';
import { InMaintenance, ProbeState } from '../../show/probe/probe-state.tsx';
import { Strip } from '../../show/probe/probe-strip.tsx';
import { scheduleOf } from '../../show/probe/probe-words.ts';
import { FirstStep } from '../../show/workers/first-step.tsx';

const PER_PAGE = 25;
const SHOWN_INSTANCES = 40;

export function ProbesPage() {
  const { projectId } = useParams() as { projectId: string };
  const { page } = useSearch() as { page?: string };
  const probes = useCall(
    'listProbes',
    { projectId, page: Number(page ?? 1), per_page: PER_PAGE, last_instances: SHOWN_INSTANCES },
    { everyMs: 5000 },
  );
  const may = useMay(projectId);
  const make = may('EDITOR') && (
    <Button component={Link} to={`/projects/${projectId}/probes/new`}>
      New probe
    </Button>
  );
  return (
    <Page
      title="Probes"
      actions={
        <>
          <Button component={Link} to={`/projects/${projectId}/probes/maintenance`} variant="default">
            Maintenance
          </Button>
          {make}
        </>
      }
    >
      <Card pad={false}>
        <Answer of={probes}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <FirstStep projectId={projectId} title="No probe yet" action={make}>
                A probe places one call every few minutes, and opens an incident when it fails or callers hear each
                other badly.
              </FirstStep>
            ) : (
              <>
                <div className="stack-box">
                  <Table className="stacks">
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>Probe</Table.Th>
                        <Table.Th>Health</Table.Th>
                        <Table.Th>Latest executions, oldest first</Table.Th>
                        <Table.Th>Schedule</Table.Th>
                        <Table.Th>Last</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {rows.map((p) => (
                        <ProbeRow key={p.id} projectId={projectId} probe={p} />
                      ))}
                    </Table.Tbody>
                  </Table>
                </div>
                <Pages
                  pagination={pagination}
                  what="probes"
                  onPage={(n) => void navigate({ to: '.', search: { page: String(n) } })}
                />
              </>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}

type RowProps = { readonly projectId: string; readonly probe: Output<'listProbes'> };

const ProbeRow = ({ projectId, probe: p }: RowProps) => (
  <Table.Tr>
    <Table.Td data-head className="long">
      <Anchor component={Link} to={`/projects/${projectId}/probes/${p.id}`} fw={600}>
        {p.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {plain(p.mode)}
      </Text>
    </Table.Td>
    <Table.Td data-whole className="long">
      <ProbeState probe={p} />
      <div className="quiet">{p.lastSkipReason ?? p.lastMessage}</div>
      <InMaintenance until={p.maintenanceUntil} />
    </Table.Td>
    <Table.Td data-whole>
      <Strip projectId={projectId} probe={{ ...p, lastInstances: p.lastInstances ?? [] }} />
    </Table.Td>
    <Table.Td data-half data-column="Schedule">
      {scheduleOf(p)}
    </Table.Td>
    <Table.Td data-half data-column="Last execution">
      <Time at={p.lastInstanceAt} none="never" relative />
    </Table.Td>
  </Table.Tr>
);
