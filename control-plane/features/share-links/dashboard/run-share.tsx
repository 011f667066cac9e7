/** Links to the report of a run, for readers without an account. They are created, listed and revoked here. */
import { Box, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { call, queries, useCall, useChange } from '../../../dashboard/api.ts';
import { useMay } from '../../../dashboard/me.tsx';
import { Confirm } from '../../../dashboard/show/basics/confirm.tsx';
import { Copyable } from '../../../dashboard/show/basics/copy.tsx';
import { Modal } from '../../../dashboard/show/basics/dialog.tsx';
import { plural } from '../../../dashboard/show/basics/figures.ts';
import { Answer, Failed } from '../../../dashboard/show/basics/page.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';

type Props = { readonly projectId: string; readonly runId: string };

const DAYS = ['1', '7', '30', '90'];

type OfRun = { readonly projectId: string; readonly run: { readonly id: string } };

export function ShareOfRun({ projectId, run }: OfRun) {
  const may = useMay(projectId);
  return may('EDITOR') && <RunShare projectId={projectId} runId={run.id} />;
}

function RunShare({ projectId, runId }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Share
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Share this run" size="lg">
        <Shared projectId={projectId} runId={runId} />
      </Modal>
    </>
  );
}

function Shared({ projectId, runId }: Props) {
  const key = { projectId, testRunId: runId };
  const [days, setDays] = useState('7');
  const create = useChange('createShareLink');
  const links = useCall('listShareLinks', { ...key, sort: '-createdAt', per_page: 100 });
  const made = create.data;
  return (
    <Stack>
      <Text size="sm">
        Anybody with the link can read the report of this run, without an account, until the link expires or is revoked.
      </Text>
      {made ? (
        <>
          <Text size="sm">
            Copy the address now: it is not shown again. It expires <Time at={made.expiresAt} />.
          </Text>
          <Copyable text={made.url ?? `${location.origin}${made.path}`} label="the link" />
          <Group>
            <Button variant="default" onClick={() => create.reset()}>
              Create another link
            </Button>
          </Group>
        </>
      ) : (
        <Group align="flex-end">
          <Select
            label="Expires after"
            data={DAYS.map((value) => ({ value, label: plural(Number(value), 'day') }))}
            value={days}
            allowDeselect={false}
            onChange={(value) => setDays(value ?? '7')}
          />
          <Button loading={create.isPending} onClick={() => create.mutate({ ...key, expiresInDays: Number(days) })}>
            Create link
          </Button>
        </Group>
      )}
      {create.error && <Failed error={create.error} />}
      <Answer of={links}>
        {({ rows }) => (rows.length === 0 ? null : <Valid projectId={projectId} runId={runId} links={rows} />)}
      </Answer>
    </Stack>
  );
}

const Valid = ({ projectId, runId, links }: Props & { links: readonly Output<'listShareLinks'>[] }) => (
  <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Valid links">
    {links.map(({ id, createdBy, createdAt, expiresAt, views, lastViewedAt }) => (
      <Group key={id} component="li" justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ flex: 1, minWidth: 0 }}>
          Created <Time at={createdAt} />
          {createdBy !== null && ` by ${createdBy}`}, expires <Time at={expiresAt} />; {plural(views, 'view')}
          {lastViewedAt !== null && (
            <>
              , last <Time at={lastViewedAt} />
            </>
          )}
        </Text>
        <Box style={{ flexShrink: 0 }}>
          <Confirm
            label="Revoke"
            title="Revoke this link?"
            act={async () => {
              await call('deleteShareLink', { projectId, testRunId: runId, shareLinkId: id });
              await queries.invalidateQueries();
            }}
          >
            Its address stops working immediately. This cannot be undone.
          </Confirm>
        </Box>
      </Group>
    ))}
  </Stack>
);
