/** Use by month and project: of one organization, or of all for the owner of the installation. */
import { Anchor, Button, Group, NativeSelect, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../../dashboard/api.ts';
import { useMe } from '../../../dashboard/me.tsx';
import { Link, navigate, useSearch } from '../../../dashboard/router.tsx';
import { count } from '../../../dashboard/show/basics/figures.ts';
import { Answer, Card, Empty, Page } from '../../../dashboard/show/basics/page.tsx';
import { monthOf, monthsAfter } from '../contract/months.ts';
import { monthChoices, monthWords } from './month-words.ts';

type UsageOf = Output<'getUsage'>;
type Row = UsageOf['rows'][number];
const FIRST_ROWS = 20;
type Months = { readonly from: string; readonly to: string };

export function UsagePage() {
  const { organization } = useMe();
  const months = useMonths();
  const usage = useCall('getUsage', queryOf(months));
  const over = (
    <Anchor component={Link} to="/organization" size="sm">
      {organization.name}
    </Anchor>
  );
  return (
    <UsageFrame title="Usage by project" over={over} file="/api/v1/usage.csv" months={months}>
      <Answer of={usage}>{({ rows }) => <UsageTable rows={rows} ofAll={false} />}</Answer>
    </UsageFrame>
  );
}

export function CustomersUsagePage() {
  const months = useMonths();
  const usage = useCall('getCustomersUsage', queryOf(months));
  const over = (
    <Anchor component={Link} to="/customers" size="sm">
      Customers
    </Anchor>
  );
  return (
    <UsageFrame title="Usage of customers" over={over} file="/api/v1/customers/usage.csv" months={months}>
      <Answer of={usage}>{({ rows }) => <UsageTable rows={rows} ofAll />}</Answer>
    </UsageFrame>
  );
}

const queryOf = ({ from, to }: Months) => ({ first_month: from, last_month: to });

/** They are in the address. */
function useMonths(): Months {
  const search = useSearch() as Partial<Months>;
  const to = search.to ?? monthOf(new Date());
  return { from: search.from ?? monthsAfter(to, -11), to };
}

type FrameProps = {
  readonly title: string;
  readonly over: ReactNode;
  readonly file: string;
  readonly months: Months;
  readonly children: ReactNode;
};

function UsageFrame({ title, over, file, months, children }: FrameProps) {
  const choices = monthChoices();
  const choose = (change: Partial<Months>) => {
    const { from, to } = { ...months, ...change };
    const least = change.from === undefined ? { from: from < to ? from : to, to } : { from, to: to > from ? to : from };
    void navigate({ to: '.', search: least });
  };
  const field = (name: keyof Months, label: string) => (
    <NativeSelect
      label={label}
      data={choices.some(({ value }) => value === months[name]) ? choices : [months[name], ...choices]}
      value={months[name]}
      onChange={({ currentTarget: { value } }) => choose({ [name]: value })}
    />
  );
  return (
    <Page
      title={title}
      over={over}
      actions={
        <Button component="a" href={`${file}?${new URLSearchParams(queryOf(months))}`} download variant="default">
          Download CSV
        </Button>
      }
    >
      <Card>
        <Group align="flex-end">
          {field('from', 'From')}
          {field('to', 'To')}
        </Group>
      </Card>
      {children}
    </Page>
  );
}

function UsageTable({ rows, ofAll }: { rows: readonly Row[]; ofAll: boolean }) {
  if (rows.length === 0)
    return (
      <Card>
        <Empty title="No run ended in these months">
          A run counts in the month (UTC) in which it ends: its endpoints, multiplied by its minutes.
        </Empty>
      </Card>
    );
  return [...Map.groupBy(rows, ({ month }) => month)].map(([month, ofMonth]) => (
    <MonthCard key={month} month={month} rows={ofMonth} ofAll={ofAll} />
  ));
}

/** The first rows of a month, and all on request: an installation has thousands of projects. */
function MonthCard({ month, rows, ofAll }: { month: string; rows: readonly Row[]; ofAll: boolean }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Card title={monthWords(month)} note={sumOf(rows)} pad={false}>
      <Table miw={ofAll ? 620 : 460} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            {ofAll && <Table.Th>Customer</Table.Th>}
            <Table.Th>Project</Table.Th>
            <Table.Th w={110} ta="right">
              Runs
            </Table.Th>
            <Table.Th w={190} ta="right">
              Endpoint minutes
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(isWhole ? rows : rows.slice(0, FIRST_ROWS)).map((row) => (
            <Table.Tr key={`${row.organizationId} ${row.projectId}`}>
              {ofAll && <Table.Td className="long">{row.organizationName}</Table.Td>}
              <Table.Td className="long">
                {row.projectName ?? (
                  <Text span c="dimmed" size="sm">
                    Deleted projects and older runs
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right">{count(row.runs)}</Table.Td>
              <Table.Td ta="right">{minutesOf(row.endpointMinutes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!isWhole && rows.length > FIRST_ROWS && (
        <Button variant="subtle" fullWidth onClick={() => setWhole(true)}>
          Show all {count(rows.length)} projects
        </Button>
      )}
    </Card>
  );
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
/** Minutes have one digit, as they are counted for invoices. */
const minutesOf = (value: number): string => count(Math.round(value * 10) / 10);
const sumOf = (rows: readonly Row[]): string =>
  `${count(sum(rows.map(({ runs }) => runs)))} runs, ${minutesOf(sum(rows.map(({ endpointMinutes }) => endpointMinutes)))} endpoint minutes`;
