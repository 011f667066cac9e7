/** A probe's latest executions, with one mark each. The oldest comes first. Pages show thousands of them: each is a plain link. */
import { Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { useLinkClicks } from '../basics/link-clicks.ts';
import { plain, toneOfHealth } from '../basics/words.tsx';

type Props = {
  readonly projectId: string;
  readonly instances: Output<'getOverview'>['probes'][number]['lastInstances'];
};

export function Strip({ projectId, instances }: Props) {
  const onClick = useLinkClicks();
  if (instances.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Not executed yet.
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: links bring keys with them
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what is clicked
    <div className="strip" onClick={onClick}>
      {instances.map((i) => {
        const says = `${plain(i.status)}, ${i.scheduledAt.slice(0, 19).replace('T', ' ')} UTC`;
        return (
          // biome-ignore lint/a11y/useAnchorContent: its label says what it is
          <a
            key={i.testRunId}
            href={`/projects/${projectId}/runs/${i.testRunId}`}
            title={says}
            aria-label={says}
            className={toneOfHealth(i.status)}
          />
        );
      })}
    </div>
  );
}
