/**
 * The same test as text, in the format of the provisioning file: it can be read, written and pasted, and errors have their line
 * and path.
 */
import { Stack, Table, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { Copyable } from '../basics/copy.tsx';
import { Failed } from '../basics/page.tsx';
import { ScrollBox } from '../basics/scroll-box.tsx';
import { Mark } from '../basics/words.tsx';
import { faultsOf, readTest, type YamlFault, yamlOf } from './test-yaml.ts';
import type { Names, TestBody } from './written-test.ts';

type Props = {
  /** The id of the form, for its buttons, which are elsewhere. */
  readonly id: string;
  /** Null: a new one. */
  readonly first: Output<'getTest'> | null;
  readonly names: Names;
  readonly mayWrite: boolean;
  /** The server's answer to the last attempt to save. */
  readonly error: Error | null;
  readonly onText: (text: string) => void;
  readonly onSave: (body: TestBody) => void;
};

export default function TestYamlEditor({ id, first, names, mayWrite, error, onText, onSave }: Props) {
  const [text, setText] = useState(() => (first === null ? '' : yamlOf(first, names)));
  const [faults, setFaults] = useState<readonly YamlFault[]>([]);
  const read = error ? readTest(text, names) : null;
  const problems = [...faults, ...faultsOf(error, read && 'yaml' in read ? read.yaml : null)];
  const save = (event: FormEvent) => {
    event.preventDefault();
    const found = readTest(text, names);
    setFaults('faults' in found ? found.faults : []);
    if ('body' in found) onSave(found.body);
  };
  if (!mayWrite) return <Copyable text={text} label="the test" />;
  return (
    <Stack component="form" id={id} onSubmit={save}>
      {problems.length > 0 && <Faults faults={problems} />}
      <Textarea
        label="The test as YAML"
        description="In the format of the provisioning file: copy it to or from there."
        autosize
        minRows={16}
        maxRows={40}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13, lineHeight: 1.55 } }}
        value={text}
        onChange={(e) => {
          setText(e.target.value);
          onText(e.target.value);
          setFaults([]);
        }}
      />
      {error && problems.length === 0 && <Failed error={error} />}
    </Stack>
  );
}

const Faults = ({ faults }: { faults: readonly YamlFault[] }) => (
  <div role="alert">
    <Mark tone="bad">
      {faults.length} fault{faults.length === 1 ? '' : 's'}: nothing was saved
    </Mark>
    <ScrollBox label="Faults">
      <Table horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Line</Table.Th>
            <Table.Th>Where</Table.Th>
            <Table.Th>What</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {faults.map((f) => (
            <Table.Tr key={`${f.line} ${f.path} ${f.message}`}>
              <Table.Td>{f.line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere', minWidth: 130 }}>
                <Text size="sm" ff="monospace">
                  {f.path || '–'}
                </Text>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere', minWidth: 120 }}>{f.message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  </div>
);
