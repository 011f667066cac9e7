/** Recipients for incidents of the project, and recent mails with their results. */
import { Alert, Button, Group, Stack, Table, TagsInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { RequestFailed, useCall, useChange } from '../../../dashboard/api.ts';
import { useMay } from '../../../dashboard/me.tsx';
import { Link, useParams } from '../../../dashboard/router.tsx';
import { Answer, Card, Empty, Failed, Page } from '../../../dashboard/show/basics/page.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { Mark, plain, type Tone } from '../../../dashboard/show/basics/words.tsx';
import { Unlinked } from '../../../dashboard/show/webhooks/unlinked.tsx';
import { FirstStep } from '../../../dashboard/show/workers/first-step.tsx';

type Settings = Output<'getMailSettings'>;

export function MailPage() {
  const { projectId } = useParams() as { projectId: string };
  const may = useMay(projectId)('ADMIN');
  const settings = useCall('getMailSettings', { projectId }, { everyMs: 5000, enabled: may });
  if (!may) {
    return (
      <Page title="Mail">
        <Card>
          <Empty title="Only administrators can see this">
            They choose the recipients of incident mail for this project.
          </Empty>
        </Card>
      </Page>
    );
  }
  return (
    <Page title="Mail">
      <Answer of={settings}>
        {(s) => (
          <>
            {!s.isConfigured && (
              <Alert color="orange" variant="outline" title="Mail is not configured">
                This installation has no mail server. To enable mail, its operator sets <code>SMTP_URL</code>, for
                example <code>smtps://user:password@mail.example:465</code>, and restarts it.
              </Alert>
            )}
            {s.isConfigured && <Unlinked />}
            <Recipients key={s.version} projectId={projectId} settings={s} />
            <LastMails projectId={projectId} mails={s.lastMails} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Recipients({ projectId, settings }: { projectId: string; settings: Settings }) {
  const [recipients, setRecipients] = useState(settings.recipients);
  const update = useChange('updateMailSettings');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ projectId, recipients });
  };
  const fault =
    update.error instanceof RequestFailed
      ? update.error.details
          .map(({ path, message }) => {
            const address = recipients[Number(/^recipients\[(\d+)\]/.exec(path)?.[1])];
            return address === undefined ? message : `${address}: ${message}`;
          })
          .join('; ')
      : undefined;
  const isChanged = recipients.join() !== settings.recipients.join();
  return (
    <Card title="Recipients" note="When an incident opens, escalates or is resolved.">
      <form onSubmit={submit}>
        <Stack maw={620}>
          <TagsInput
            label="Addresses"
            description="Press Enter after each address. If the list is empty, no mail is sent."
            placeholder="noc@acme.example"
            value={recipients}
            onChange={setRecipients}
            maxTags={50}
            splitChars={[',', ';', ' ']}
            error={fault || undefined}
            acceptValueOnBlur
          />
          {update.error && !fault && <Failed error={update.error} />}
          <Group>
            <Button type="submit" loading={update.isPending} disabled={!isChanged}>
              Save
            </Button>
            {update.isSuccess && !isChanged && (
              <Text size="sm" role="status">
                Saved.
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

const STATUS: Readonly<Record<Settings['lastMails'][number]['status'], readonly [Tone, string]>> = {
  PENDING: ['accent', 'On its way'],
  DELIVERED: ['good', 'Delivered'],
  FAILED: ['bad', 'Failed'],
};

const LastMails = ({ projectId, mails }: { projectId: string; mails: Settings['lastMails'] }) => (
  <Card title="Recent mail" pad={false}>
    {mails.length === 0 ? (
      <FirstStep
        projectId={projectId}
        title="No mail yet"
        action={
          <Button component={Link} to={`/projects/${projectId}/probes`}>
            Go to probes
          </Button>
        }
      >
        Mail is sent when a probe of this project opens an incident.
      </FirstStep>
    ) : (
      <Table miw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>To</Table.Th>
            <Table.Th>About</Table.Th>
            <Table.Th>State</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {mails.map((m) => (
            <Table.Tr key={`${m.createdAt} ${m.recipient} ${m.event}`}>
              <Table.Td>
                <Time at={m.createdAt} />
              </Table.Td>
              <Table.Td className="long">{m.recipient}</Table.Td>
              <Table.Td>{plain(m.event.replace('.', ' '))}</Table.Td>
              <Table.Td>
                <Mark tone={STATUS[m.status][0]}>{STATUS[m.status][1]}</Mark>
                {m.error && (
                  <Text size="xs" c="dimmed">
                    {m.error} ({m.attempts} {m.attempts === 1 ? 'attempt' : 'attempts'})
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
  </Card>
);
