/** The organizations of the installation with their figures, for its owner. */
import { Button, Group, NativeSelect, SimpleGrid, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall, useChange } from '../../../dashboard/api.ts';
import { useMe } from '../../../dashboard/me.tsx';
import { Link, navigate, useSearch } from '../../../dashboard/router.tsx';
import { Figure } from '../../../dashboard/show/basics/figure.tsx';
import { count, number, plural } from '../../../dashboard/show/basics/figures.ts';
import { ActionsHeading, Answer, Card, Page } from '../../../dashboard/show/basics/page.tsx';
import { Pages } from '../../../dashboard/show/basics/pages.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { Health, Mark, plain } from '../../../dashboard/show/basics/words.tsx';
import { monthOf } from '../contract/months.ts';
import { ChangePlan, InviteOwner, NewCustomerDialog } from './customer-forms.tsx';
import { monthChoices, monthWords } from './month-words.ts';

type Customer = Output<'listCustomers'>;
type Totals = Output<'getCustomerTotals'>;

export function CustomersPage() {
  const search = useSearch() as { month?: string };
  const month = search.month ?? monthOf(new Date());
  const [page, setPage] = useState(1);
  const customers = useCall('listCustomers', { page, per_page: 100, month }, { everyMs: 10_000 });
  const totals = useCall('getCustomerTotals', { month }, { everyMs: 10_000 });
  return (
    <Page
      title="Customers"
      over="All organizations of this installation"
      actions={
        <>
          <NativeSelect
            aria-label="Month of runs and endpoint minutes"
            data={monthChoices()}
            value={month}
            onChange={({ currentTarget: { value } }) => void navigate({ to: '.', search: { month: value } })}
          />
          <Button component={Link} to="/customers/usage" variant="default">
            Usage by project
          </Button>
          <NewCustomerDialog />
        </>
      }
    >
      <Answer of={customers}>
        {({ rows, pagination }) => (
          <>
            {totals.data && <Totals totals={totals.data} month={month} />}
            <Card pad={false}>
              <Customers rows={rows} month={month} sharedWorkers={totals.data?.sharedWorkers ?? 0} />
              <Pages pagination={pagination} what="customers" onPage={setPage} />
            </Card>
          </>
        )}
      </Answer>
    </Page>
  );
}

function Totals({ totals, month }: { totals: Totals; month: string }) {
  const { organizations, unhealthy, openRuns, workers, onlineWorkers, sharedWorkers, endpointMinutes } = totals;
  return (
    <Card>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
        <Figure
          name="Organizations"
          value={count(organizations)}
          note={unhealthy > 0 ? <Mark tone="bad">{count(unhealthy)} not healthy</Mark> : 'none with a bad probe'}
        />
        <Figure name="Runs in progress" value={count(openRuns)} />
        <Figure
          name="Workers online"
          value={`${count(onlineWorkers)} of ${count(workers)}`}
          note={sharedWorkers > 0 && `${count(sharedWorkers)} shared by all`}
        />
        <Figure name="Endpoint minutes" value={number(endpointMinutes, 1)} note={`in ${monthWords(month)}`} />
      </SimpleGrid>
    </Card>
  );
}

/** `plan Pro, 3 projects, 4 people` */
const subtitle = ({ isOwn, plan, projects, people, invitations }: Customer): string =>
  [
    isOwn && 'runs this installation',
    `plan ${plain(plan)}`,
    plural(projects, 'project'),
    (people > 0 || invitations === 0) && `${count(people)} ${people === 1 ? 'person' : 'people'}`,
    invitations > 0 && `${count(invitations)} invited`,
  ]
    .filter(Boolean)
    .join(', ');

/** Runs of an organization without workers are carried by the shared ones. */
const workersOf = ({ workers, onlineWorkers }: Customer, shared: number): string =>
  workers > 0 ? `${count(onlineWorkers)} of ${count(workers)}` : shared > 0 ? 'shared' : '–';

type Shown = { readonly rows: readonly Customer[]; readonly month: string; readonly sharedWorkers: number };

const Customers = ({ rows, month, sharedWorkers }: Shown) => (
  <Table miw={900}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Customer</Table.Th>
        <Table.Th>Health</Table.Th>
        <Table.Th ta="right">Runs</Table.Th>
        <Table.Th ta="right">Endpoint minutes</Table.Th>
        <Table.Th ta="right">Workers</Table.Th>
        <Table.Th>Last run</Table.Th>
        <ActionsHeading />
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Td className="long">
            <Text fw={600}>{row.name}</Text>
            <Text size="xs" c="dimmed">
              {subtitle(row)}
            </Text>
          </Table.Td>
          <Table.Td>
            {row.health === null ? <Mark tone="none">No probes</Mark> : <Health state={row.health} />}
            {row.probes > 0 && (
              <Text size="xs" c="dimmed">
                {plural(row.probes, 'probe')}
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="right">
            {count(row.runs)}
            {row.openRuns > 0 && (
              <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {count(row.openRuns)} in progress
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="right">
            <Minutes row={row} month={month} />
          </Table.Td>
          <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
            {workersOf(row, sharedWorkers)}
          </Table.Td>
          <Table.Td>
            <Time at={row.lastRunAt} none="never" relative />
          </Table.Td>
          <Table.Td>
            <Group gap="xs" justify="flex-end" wrap="nowrap">
              {row.people === 0 && <InviteOwner customer={row} />}
              <GoTo customer={row} />
              <ChangePlan customer={row} />
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** The plan counts the present month; an earlier one is compared with the present plan. */
function Minutes({
  row: { endpointMinutes, endpointMinutesPerMonth: limit },
  month,
}: {
  row: Customer;
  month: string;
}) {
  const share = limit === null ? 0 : limit === 0 ? 1 : endpointMinutes / limit;
  return (
    <>
      {number(endpointMinutes, 1)}
      {limit !== null && (
        <Text size="xs" c="dimmed" component="div">
          {share >= 0.8 && month === monthOf(new Date()) ? (
            <Mark tone={share >= 1 ? 'bad' : 'warn'}>{`${count(Math.floor(share * 100))} % of ${count(limit)}`}</Mark>
          ) : (
            `of ${count(limit)}`
          )}
        </Text>
      )}
    </>
  );
}

/** Only members see more than figures. */
function GoTo({ customer }: { customer: Customer }) {
  const me = useMe();
  const change = useChange('switchOrganization', () => window.location.assign('/'));
  if (customer.isOwn || !me.organizations.some(({ id }) => id === customer.id)) return null;
  return (
    <Button
      size="xs"
      variant="default"
      loading={change.isPending}
      onClick={() => change.mutate({ organizationId: customer.id })}
    >
      Go to
    </Button>
  );
}
