/** The dialog that adds SIP accounts in bulk, pasted or from a CSV file. Invalid lines are reported before anything is sent. */
import { Button, FileButton, Group, ScrollArea, Stack, Table, Text, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import { RequestFailed, useChange } from '../../api.ts';
import { Modal } from '../basics/dialog.tsx';
import { count } from '../basics/figures.ts';
import { Failed } from '../basics/page.tsx';
import { Mark } from '../basics/words.tsx';
import type { CsvAccount, CsvFault } from './account-line.ts';
import { COLUMN_NAMES } from './column-names.ts';
import { readAccounts, textOfFile } from './csv.ts';

/** The maximum number of accounts per request, as in the contract. */
const MAX_ACCOUNTS = 10_000;

type Props = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly projectId: string;
  readonly registrarId: string;
};

export function NewAccounts({ opened, onClose, projectId, registrarId }: Props) {
  const [text, setText] = useState('');
  const [leaves, setLeaves] = useState(false);
  const [unread, setUnread] = useState<string | null>(null);
  const create = useChange('createSipAccounts', () => {
    onClose();
    setText('');
  });
  const { accounts, faults } = useMemo(() => readAccounts(text), [text]);
  const problems = [...faults, ...refused(create.error, accounts)];
  const tooMany = accounts.length > MAX_ACCOUNTS;
  const change = (next: string) => {
    setText(next);
    setUnread(null);
    setLeaves(false);
    create.reset();
  };
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const read = textOfFile(await file.arrayBuffer());
    change(read ?? '');
    if (read === null) setUnread(file.name);
  };
  const send = () =>
    create.mutate({
      projectId,
      registrarId,
      sipAccounts: accounts.map(({ line: _, ...account }) => account),
    });
  const mayLeave = faults.length > 0 && accounts.length > 0;
  return (
    <Modal opened={opened} onClose={onClose} title="Add SIP accounts" size="lg">
      <Stack>
        <Textarea
          label="Accounts"
          description="One account per line: user name, comma, password. The first line can name the columns: username, password, ha1, auth name, display name, number. Any other column becomes a custom value: {{pin}} in a test stands for the column pin."
          placeholder={'username,password,number,pin\n1001,secret,+4930123,4711'}
          minRows={6}
          autosize
          maxRows={12}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(e) => change(e.target.value)}
        />
        {unread !== null && (
          <Mark tone="bad" wraps>
            {unread} is not in UTF-8, so its letters cannot be told: save it as “CSV UTF-8”.
          </Mark>
        )}
        {text !== '' && (
          <Stack gap={6} role="status">
            <Mark tone={accounts.length > 0 && !tooMany ? 'good' : 'none'}>
              {count(accounts.length)} account{accounts.length === 1 ? '' : 's'} read
              {tooMany && `: an import is limited to ${count(MAX_ACCOUNTS)}, split the file`}
            </Mark>
            {problems.length > 0 && (
              <Mark tone="bad">
                {count(problems.length)} line{problems.length === 1 ? '' : 's'} cannot be taken
              </Mark>
            )}
          </Stack>
        )}
        {accounts.length > 0 && <First accounts={accounts} />}
        {problems.length > 0 && <Faults faults={problems} />}
        {mayLeave && !leaves && (
          <Text size="sm">
            Mend the lines above, or{' '}
            <Button size="compact-sm" variant="default" onClick={() => setLeaves(true)}>
              skip them
            </Button>
          </Text>
        )}
        {create.error && <Failed error={create.error} />}
        <Group justify="space-between">
          <FileButton accept=".csv,text/csv,text/plain" onChange={(file) => void take(file)}>
            {(props) => (
              <Button variant="default" {...props}>
                From a CSV file
              </Button>
            )}
          </FileButton>
          <Button
            disabled={accounts.length === 0 || tooMany || (faults.length > 0 && !leaves)}
            loading={create.isPending}
            onClick={send}
          >
            Add {count(accounts.length)} account{accounts.length === 1 ? '' : 's'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const SHOWN = 3;

/** The first accounts as they were read, so that a wrong column is noticed before it is sent. */
function First({ accounts }: { accounts: readonly CsvAccount[] }) {
  const named = ['username', 'authName', 'displayName', 'number'] as const;
  const columns = named.filter((name) => accounts.some((a) => a[name] !== undefined));
  const own = [...new Set(accounts.flatMap((a) => Object.keys(a.values)))];
  if (columns.length < 2 && own.length === 0) return null;
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Preview of the first accounts' }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {columns.map((name) => (
              <Table.Th key={name}>{COLUMN_NAMES[name]}</Table.Th>
            ))}
            <Table.Th>Authenticates with</Table.Th>
            {own.map((name) => (
              <Table.Th key={`own ${name}`}>{`{{${name}}}`}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.slice(0, SHOWN).map((a) => (
            <Table.Tr key={a.line}>
              {columns.map((name) => (
                <Table.Td key={name}>{a[name] ?? '–'}</Table.Td>
              ))}
              <Table.Td>{a.ha1 !== undefined ? 'HA1' : a.password ? 'password' : 'nothing'}</Table.Td>
              {own.map((name) => (
                <Table.Td key={`own ${name}`}>{a.values[name] ?? '–'}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

/** The server's errors about `sipAccounts[3].username`, by the line from which the account was read. */
const refused = (error: Error | null, accounts: readonly { line: number; username: string }[]): CsvFault[] =>
  error instanceof RequestFailed
    ? error.details.flatMap(({ path, message }) => {
        const account = accounts[Number(/^sipAccounts\[(\d+)\]/.exec(path)?.[1] ?? -1)];
        return account ? [{ line: account.line, text: account.username, message }] : [];
      })
    : [];

const Faults = ({ faults }: { faults: readonly CsvFault[] }) => (
  <ScrollArea.Autosize mah={220} viewportProps={{ tabIndex: 0, 'aria-label': 'Lines with errors' }}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Line</Table.Th>
          <Table.Th>User name</Table.Th>
          <Table.Th>Why</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {faults.map((f) => (
          <Table.Tr key={`${f.line} ${f.message}`}>
            <Table.Td>{f.line}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{f.text || '–'}</Table.Td>
            <Table.Td>{f.message}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollArea.Autosize>
);
