/** Templates of tests, or of probes: each fills the form. */
import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';

type Template = { readonly name: string; readonly sentence: string; readonly does: 'CALL' | 'REGISTER' | 'OPTIONS' };
type Props<T extends Template> = {
  readonly templates: readonly T[];
  readonly chosen: T | null;
  /** There is a server that accepts registrations. */
  readonly mayRegister: boolean;
  readonly onChoose: (template: T | null) => void;
};

export const TemplateChoice = <T extends Template>({ templates, chosen, mayRegister, onChoose }: Props<T>) => (
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
