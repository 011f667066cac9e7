/** The labels of a run. In lists, a click on a label filters by it. */
import { Group, UnstyledButton } from '@mantine/core';

type Props = {
  readonly labels: Readonly<Record<string, string>>;
  /** Absent: the labels are only shown. */
  readonly onLabel?: ((label: string) => void) | undefined;
};

export function RunLabels({ labels, onLabel }: Props) {
  const all = Object.entries(labels);
  if (all.length === 0) return null;
  return (
    <Group gap={4} mt={3}>
      {all.map(([name, value]) =>
        onLabel ? (
          <UnstyledButton
            key={name}
            className="label"
            title={`${name}=${value}`}
            aria-label={`Only runs with the label ${name}=${value}`}
            onClick={() => onLabel(`${name}=${value}`)}
          >
            {name}={value}
          </UnstyledButton>
        ) : (
          <span key={name} className="label" title={`${name}=${value}`}>
            {name}={value}
          </span>
        ),
      )}
    </Group>
  );
}
