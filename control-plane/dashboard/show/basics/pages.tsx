/** Buttons that lead through a long list, page by page. */
import { Group, Pagination, Text } from '@mantine/core';
import { count } from './figures.ts';

type Props = {
  readonly pagination: { readonly page: number; readonly totalPages: number; readonly total: number };
  readonly what: string;
  readonly onPage: (page: number) => void;
};

export const Pages = ({ pagination, what, onPage }: Props) =>
  pagination.totalPages <= 1 ? null : (
    <Group justify="space-between" px={18} py={12}>
      <Text size="sm" c="dimmed">
        {count(pagination.total)} {what}
      </Text>
      <Pagination
        total={pagination.totalPages}
        value={pagination.page}
        onChange={onPage}
        size="sm"
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        getItemProps={(page) => ({ 'aria-label': `page ${page}` })}
      />
    </Group>
  );
