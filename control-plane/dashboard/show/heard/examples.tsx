/** Links to the first of many endpoints. */
import { Anchor, Group } from '@mantine/core';
import { Link } from '../../router.tsx';

type Props = {
  /** The address of the run. */
  readonly run: string;
  readonly ids: readonly string[];
  /** The filters of the list that they are the first of: its other calls are the neighbours on their pages. */
  readonly of: URLSearchParams;
};

/** The first link is called an example, the others are numbered. */
export const Examples = ({ run, ids, of }: Props) => (
  <Group gap={8} wrap="nowrap">
    {ids.slice(0, 3).map((id, i) => (
      <Anchor
        key={id}
        component={Link}
        to={`${run}/endpoints/${id}?${of}&order=number&at=${i}`}
        size="sm"
        className="target"
        aria-label={`Example ${i + 1}`}
        style={{ whiteSpace: 'nowrap' }}
      >
        {i === 0 ? 'Example' : ''} {ids.length > 1 && i + 1}
      </Anchor>
    ))}
  </Group>
);
