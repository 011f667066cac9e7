/** Templates of tests: each fills the form. */
import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import type { TestTemplate } from './drafts/templates.ts';

type Props = {
  readonly templates: readonly TestTemplate[];
  readonly chosen: TestTemplate | null;
  /** There is a server that accepts registrations. */
  readonly mayRegister: boolean;
  readonly onChoose: (template: TestTemplate | null) => void;
};

export const TemplateChoice = ({ templates, chosen, mayRegister, onChoose }: Props) => (
  <section aria-label="Templates">
    <SimpleGrid cols={{ base: 2, md: templates.length }} spacing="sm">
      {templates.map((one) => {
        const isPossible = one.does !== 'REGISTER' || mayRegister;
        return (
          <UnstyledButton
            key={one.name}
            className="card template"
            aria-pressed={one === chosen}
            disabled={!isPossible}
            onClick={() => onChoose(one === chosen ? null : one)}
          >
            <Text fw={600} size="sm">
              {one.name}
            </Text>
            <Text size="xs" c="dimmed">
              {isPossible ? one.sentence : 'Needs a registrar that accepts registrations.'}
            </Text>
          </UnstyledButton>
        );
      })}
    </SimpleGrid>
  </section>
);
