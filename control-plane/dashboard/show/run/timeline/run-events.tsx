/** The events of a run in order of time. The filters are in the address. */
import { Anchor, Group, Select, Table, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { EVENT_KINDS } from '../../../../contract/run/words.ts';
import { useCall } from '../../../api.ts';
import { Link } from '../../../router.tsx';
import { Answer, Empty } from '../../basics/page.tsx';
import { Pages } from '../../basics/pages.tsx';
import { ScrollBox } from '../../basics/scroll-box.tsx';
import { Time } from '../../basics/time.tsx';
import { useAddress } from '../../basics/use-address.ts';
import { plain } from '../../basics/words.tsx';

type Search = { epage?: string; ekind?: string; etext?: string };
type Props = { readonly projectId: string; readonly runId: string; readonly everyMs: number | false };

export function RunEvents({ projectId, runId, everyMs }: Props) {
  const [search, go] = useAddress<Search>('epage');
  const events = useCall(
    'listTestRunEvents',
    {
      projectId,
      testRunId: runId,
      page: Number(search.epage ?? 1),
      ...(search.ekind && { kind: search.ekind as (typeof EVENT_KINDS)[number] }),
      ...(search.etext && { text: search.etext }),
    },
    { everyMs },
  );
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go({ etext: String(new FormData(event.currentTarget).get('text') ?? '') });
  };
  return (
    <>
      <Group gap="xs" px={18} py={10}>
        <Select
          aria-label="Kind of event"
          placeholder="All kinds"
          clearable
          size="xs"
          w={180}
          data={EVENT_KINDS.map((k) => ({ value: k, label: plain(k) }))}
          value={search.ekind ?? null}
          onChange={(kind) => go({ ekind: kind ?? undefined })}
        />
        <form onSubmit={onSubmit}>
          <TextInput
            name="text"
            aria-label="Text of events"
            placeholder="Text, then Enter"
            size="xs"
            w={240}
            defaultValue={search.etext ?? ''}
            maxLength={200}
          />
        </form>
      </Group>
      <Answer of={events}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="No matching event" />
          ) : (
            <ScrollBox label="Events table">
              <Table miw={560} verticalSpacing={6}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Time (UTC)</Table.Th>
                    <Table.Th>What</Table.Th>
                    <Table.Th>Detail</Table.Th>
                    <Table.Th>Of</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((e) => (
                    <Table.Tr key={e.id}>
                      <Table.Td>
                        <Time at={e.at} withMs />
                      </Table.Td>
                      <Table.Td>{plain(e.kind)}</Table.Td>
                      <Table.Td className="long">{e.detail}</Table.Td>
                      <Table.Td>
                        {e.endpointId === null ? (
                          'the run'
                        ) : (
                          <Anchor
                            component={Link}
                            to={`/projects/${projectId}/runs/${runId}/endpoints/${e.endpointId}`}
                            size="sm"
                          >
                            Endpoint
                          </Anchor>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollBox>
          )
        }
      </Answer>
      {events.data && (
        <Pages pagination={events.data.pagination} what="events" onPage={(n) => go({ epage: String(n) })} />
      )}
    </>
  );
}
