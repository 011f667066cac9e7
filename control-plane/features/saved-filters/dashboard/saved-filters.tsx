/** The menu of saved filters beside the filters of a list. */
import { ActionIcon, Button, Divider, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { faultOf, useCall, useChange } from '../../../dashboard/api.ts';
import type { FilterProps } from '../../../dashboard/feature.ts';
import { IconChevronDown, IconX } from '../../../dashboard/show/basics/icons.tsx';
import { Answer, Failed } from '../../../dashboard/show/basics/page.tsx';

const LISTS = { runs: 'RUNS', calls: 'CALLS' } as const;

export function SavedFilters(props: FilterProps) {
  const [opened, setOpened] = useState(false);
  const { onOpen } = props;
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="bottom-end" trapFocus withinPortal={false}>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronDown size={14} stroke={1.8} />}
          onClick={() => setOpened(!opened)}
        >
          Saved filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved filters">
        <Content
          {...props}
          onOpen={(search) => {
            setOpened(false);
            onOpen(search);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function Content({ projectId, list, search, onOpen }: FilterProps) {
  const filters = useCall('listSavedFilters', { projectId, per_page: 100 });
  const remove = useChange('deleteSavedFilter');
  const query = new URLSearchParams(search).toString();
  return (
    <Answer of={filters}>
      {({ rows }) => {
        const own = rows.filter((filter) => filter.list === LISTS[list]);
        return (
          <Stack gap="xs">
            {own.length > 0 && (
              <Stack gap={2} role="list" style={{ maxHeight: 320, overflowY: 'auto' }}>
                {own.map((filter) => (
                  <Group key={filter.id} role="listitem" gap={4} wrap="nowrap">
                    <Button
                      variant={filter.query === query ? 'light' : 'subtle'}
                      size="xs"
                      flex={1}
                      justify="flex-start"
                      aria-current={filter.query === query}
                      style={{ minWidth: 0 }}
                      onClick={() => onOpen(Object.fromEntries(new URLSearchParams(filter.query)))}
                    >
                      <Text size="sm" truncate title={filter.name}>
                        {filter.name}
                      </Text>
                    </Button>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`Delete the filter ${filter.name}`}
                      disabled={remove.isPending}
                      onClick={() => remove.mutate({ projectId, savedFilterId: filter.id })}
                    >
                      <IconX size={15} stroke={1.8} />
                    </ActionIcon>
                  </Group>
                ))}
              </Stack>
            )}
            {remove.error && <Failed error={remove.error} />}
            {own.length > 0 && <Divider />}
            {query === '' ? (
              <Text size="sm" c="dimmed">
                {own.length > 0 ? 'Set filters to save them, too.' : 'Set filters, and save them here under a name.'}
              </Text>
            ) : (
              <Save projectId={projectId} list={list} query={query} />
            )}
          </Stack>
        );
      }}
    </Answer>
  );
}

function Save({ projectId, list, query }: Pick<FilterProps, 'projectId' | 'list'> & { readonly query: string }) {
  const [name, setName] = useState('');
  const save = useChange('saveFilter', () => setName(''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ projectId, list: LISTS[list], name, query });
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Save these filters as"
          placeholder="Failed today"
          size="xs"
          flex={1}
          required
          withAsterisk={false}
          maxLength={60}
          value={name}
          onChange={(e) => setName(e.target.value)}
          error={faultOf(save.error, 'name')}
        />
        <Button type="submit" size="xs" loading={save.isPending}>
          Save
        </Button>
      </Group>
      {save.error && !faultOf(save.error, 'name') && <Failed error={save.error} />}
    </form>
  );
}
