/** Links to the first of many endpoints. */
import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** `run` is the address of the run. The first link is called an example, the others are numbered. */
export const Examples = ({ run, ids }: { run: string; ids: readonly string[] }) => (
  <Group gap={8} wrap="nowrap">
    {ids.slice(0, 3).map((id, i) => (
      <Anchor
        key={id}
        component={Link}
        to={`${run}/endpoints/${id}`}
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
