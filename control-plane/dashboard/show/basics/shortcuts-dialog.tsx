/** The list of all shortcuts, and the switch for those of letters. It is loaded when it is first asked for. */
import { Group, Kbd, Stack, Switch, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Modal } from './dialog.tsx';
import { areLettersOn, LETTERS } from './shortcut-keys.ts';
import { SHORTCUTS, type ShortcutName } from './shortcuts.ts';

/** What each does, by the place where it does it. */
const PLACES: readonly (readonly [where: string, does: Partial<Record<ShortcutName, string>>])[] = [
  ['Everywhere', { find: 'Find anything', list: 'Show the shortcuts', home: 'Home', workers: 'Workers' }],
  ['In a project', { tests: 'Tests', runs: 'Runs', probes: 'Probes', calls: 'Calls' }],
  ['On a call that a list led to', { nextCall: 'Next call', previousCall: 'Previous call' }],
  [
    'In a chart that has the focus',
    {
      left: 'Read the value before',
      right: 'Read the value after',
      nearer: 'Show less time',
      farther: 'Show more time',
      whole: 'Show all',
    },
  ],
];
const ARROWS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' };

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [areOn, setOn] = useState(areLettersOn);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      <Stack>
        {PLACES.map(([where, rows]) => (
          <section key={where} aria-label={where}>
            <Text component="h3" fw={650} mb={4}>
              {where}
            </Text>
            <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} highlightOnHover={false}>
              <Table.Tbody>
                {Object.entries(rows).map(([name, does]) => (
                  <Table.Tr key={name}>
                    <Table.Th scope="row" fw={400} w="45%">
                      <Group gap={4}>
                        {SHORTCUTS[name as ShortcutName].split(/(?<=.)[ +]/).map((key) => (
                          <Kbd key={key}>{ARROWS[key] ?? key}</Kbd>
                        ))}
                      </Group>
                    </Table.Th>
                    <Table.Td>{does}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
        <Text size="sm" c="dimmed">
          On a Mac, Cmd is Ctrl. Two letters are pressed one after the other. In a field, keys write.
        </Text>
        <Switch
          label="Shortcuts of one or two letters"
          description="Off: only those with Ctrl, and those of charts. This browser remembers it."
          checked={areOn}
          onChange={({ currentTarget: { checked } }) => {
            localStorage.setItem(LETTERS, checked ? 'on' : 'off');
            setOn(checked);
          }}
        />
      </Stack>
    </Modal>
  );
}
