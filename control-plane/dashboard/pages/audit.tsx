/** The audit log: who did what, when and from where. */
import { Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../api.ts';
import { useMe } from '../me.tsx';
import { Answer, Card, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { Time } from '../show/basics/time.tsx';

/** `createApiKey` -> `create API key` */
const words = (action: string): string =>
  action
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(/\bapi\b/, 'API')
    .replace(/\bsip\b/, 'SIP');

/** The number of events in a flood that has a single entry. */
const times = (count: string | undefined): string => (count === undefined ? '' : `${count} times`);

const VIA = {
  SESSION: 'in the dashboard',
  KEY: 'with an API key',
  LOGIN: 'at log-in',
  AGENT: 'on the agent link',
  OPERATOR: 'from the command line',
} as const;

export function AuditPage() {
  const me = useMe();
  const [page, setPage] = useState(1);
  const entries = useCall('listAuditEntries', { page, per_page: 50 });
  return (
    <Page title="Audit log" over={me.organization.name}>
      <Card pad={false}>
        <Answer of={entries}>
          {({ rows, pagination }) => (
            <>
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
                  {rows.map((e) => (
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
                      <Table.Td>{words(e.action)}</Table.Td>
                      <Table.Td className="long">
                        {[e.target.name, e.target.email, e.target.role, e.target.reason, times(e.target.count)]
                          .filter(Boolean)
                          .join(', ') ||
                          e.target.id ||
                          '–'}
                      </Table.Td>
                      <Table.Td>{e.address}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              <Pages pagination={pagination} what="entries" onPage={setPage} />
            </>
          )}
        </Answer>
      </Card>
    </Page>
  );
}
