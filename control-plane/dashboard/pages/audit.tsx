/** The audit log: who did what, when and from where; filtered by what is in the address. */
import { Button, Group, Select, Table, Text } from '@mantine/core';
import type { Output } from '../../contract/catalogue.ts';
import { useCall } from '../api.ts';
import { useMe } from '../me.tsx';
import { Answer, Card, Empty, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { PeriodFields } from '../show/basics/period-fields.tsx';
import { SearchField } from '../show/basics/search-field.tsx';
import { Time } from '../show/basics/time.tsx';
import { useAddress } from '../show/basics/use-address.ts';
import {
  type AuditSearch,
  aboutWords,
  actionChoices,
  actionWords,
  auditQueryOf,
  KIND_CHOICES,
} from '../show/people/audit-words.ts';

const VIA = {
  SESSION: 'in the dashboard',
  KEY: 'with an API key',
  LOGIN: 'at log-in',
  AGENT: 'on the agent link',
  OPERATOR: 'from the command line',
} as const;

export function AuditPage() {
  const me = useMe();
  const [search, go] = useAddress<AuditSearch>('page');
  const { page, ...query } = auditQueryOf(search, Date.now());
  const entries = useCall('listAuditEntries', { page, per_page: 50, ...query });
  return (
    <Page
      title="Audit log"
      over={me.organization.name}
      actions={
        <Button
          component="a"
          href={`/api/v1/audit-entries.csv?${new URLSearchParams(query as Record<string, string>)}`}
          download
          variant="default"
        >
          Download CSV
        </Button>
      }
    >
      <Card pad={false}>
        <Filters search={search} onChange={(change) => go(change, { replace: true })} />
        <Answer of={entries}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No matching entry" />
            ) : (
              <>
                <Entries rows={rows} />
                <Pages pagination={pagination} what="entries" onPage={(n) => go({ page: String(n) })} />
              </>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}

type FilterProps = { readonly search: AuditSearch; readonly onChange: (change: AuditSearch) => void };

function Filters({ search, onChange }: FilterProps) {
  return (
    <Group gap="xs" px={18} py={12} align="flex-end">
      <SearchField
        label="Who"
        placeholder="Anybody"
        width={150}
        value={search.actor}
        onTake={(actor) => onChange({ actor })}
      />
      <Select
        label="Of what"
        placeholder="Anything"
        clearable
        searchable
        size="xs"
        w={150}
        data={KIND_CHOICES}
        value={search.kind ?? null}
        onChange={(kind) => onChange({ kind: kind ?? undefined, action: undefined })}
      />
      <Select
        label="What"
        placeholder="Any action"
        clearable
        searchable
        size="xs"
        w={200}
        data={actionChoices(search.kind)}
        value={search.action ?? null}
        onChange={(action) => onChange({ action: action ?? undefined })}
      />
      <PeriodFields label="When" search={search} onChange={onChange} />
    </Group>
  );
}

const Entries = ({ rows }: { rows: readonly Output<'listAuditEntries'>[] }) => (
  <Table miw={760}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>When</Table.Th>
        <Table.Th>Who</Table.Th>
        <Table.Th>What</Table.Th>
        <Table.Th>Of what</Table.Th>
        <Table.Th>From</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((e) => {
        const [what, where] = aboutWords(e);
        return (
          <Table.Tr key={e.id}>
            <Table.Td>
              <Time at={e.at} />
            </Table.Td>
            <Table.Td className="long">
              {e.actor || 'Unknown client'}
              <Text size="xs" c="dimmed">
                {e.actor === '' && e.via === 'LOGIN' ? 'without log-in' : VIA[e.via]}
              </Text>
            </Table.Td>
            <Table.Td>{actionWords(e.action)}</Table.Td>
            <Table.Td className="long">
              {what}
              {where !== '' && (
                <Text size="xs" c="dimmed">
                  {where}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{e.address}</Table.Td>
          </Table.Tr>
        );
      })}
    </Table.Tbody>
  </Table>
);
