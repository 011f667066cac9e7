/** Webhooks: the receivers of a project's events, their deliveries, and re-delivery. */
import { Alert, Anchor, Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { call, queries, useCall, useChange } from '../api.ts';
import { useMay } from '../me.tsx';
import { Link, useParams } from '../router.tsx';
import { Confirm } from '../show/basics/confirm.tsx';
import { Modal } from '../show/basics/dialog.tsx';
import { ActionsHeading, Answer, Card, Empty, Failed, Page } from '../show/basics/page.tsx';
import { ShownOnce } from '../show/basics/shown-once.tsx';
import { Time } from '../show/basics/time.tsx';
import { Mark, plain } from '../show/basics/words.tsx';
import { Deliveries } from '../show/webhooks/deliveries.tsx';
import { RECEIVERS } from '../show/webhooks/format-words.ts';
import { Unlinked } from '../show/webhooks/unlinked.tsx';
import { WebhookForm } from '../show/webhooks/webhook-form.tsx';

type Webhook = Output<'listWebhooks'>;

const state = (w: Webhook) =>
  !w.enabled ? (
    <Mark tone="none">Off</Mark>
  ) : w.failingSince ? (
    <Mark tone="bad">Failing</Mark>
  ) : (
    <Mark tone="good">On</Mark>
  );

export function WebhooksPage() {
  const { projectId } = useParams() as { projectId: string };
  const may = useMay(projectId);
  const webhooks = useCall('listWebhooks', { projectId, per_page: 100 }, { everyMs: 10_000 });
  // It shows the secret even when the list is no longer empty.
  const [isMaking, setMaking] = useState(false);
  const make = may('ADMIN') && (
    <Button aria-haspopup="dialog" onClick={() => setMaking(true)}>
      New webhook
    </Button>
  );
  return (
    <Page title="Webhooks" actions={(webhooks.data?.rows.length ?? 0) > 0 && make}>
      <Unlinked />
      <Card pad={false}>
        <Answer of={webhooks}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty title="No webhook yet" action={make}>
                A webhook notifies {RECEIVERS} when an incident opens, a run ends or an agent disconnects. Deliveries
                are signed (Standard Webhooks) and retried for 24 hours.
              </Empty>
            ) : (
              <Table miw={720}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Address</Table.Th>
                    <Table.Th>Format</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th>Events</Table.Th>
                    <ActionsHeading />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((w) => (
                    <Table.Tr key={w.id}>
                      <Table.Td className="long">
                        {may('ADMIN') ? (
                          <Anchor component={Link} to={`/projects/${projectId}/webhooks/${w.id}`} fw={600}>
                            {w.url}
                          </Anchor>
                        ) : (
                          w.url
                        )}
                      </Table.Td>
                      <Table.Td>{plain(w.format)}</Table.Td>
                      <Table.Td>{state(w)}</Table.Td>
                      <Table.Td>{w.events.join(', ')}</Table.Td>
                      <Table.Td ta="right">
                        {may('ADMIN') && (
                          <Confirm
                            label="Delete"
                            title="Delete this webhook?"
                            act={async () => {
                              await call('deleteWebhook', { projectId, webhookId: w.id });
                              await queries.invalidateQueries();
                            }}
                          >
                            Nothing more is sent to {w.url}.
                          </Confirm>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )
          }
        </Answer>
      </Card>
      <NewWebhook projectId={projectId} opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

type NewProps = { readonly projectId: string; readonly opened: boolean; readonly onClose: () => void };

function NewWebhook({ projectId, opened, onClose }: NewProps) {
  /** False: the user gave the secret, so it is not shown. */
  const [isMade, setIsMade] = useState(false);
  const create = useChange('createWebhook', () => {
    if (!isMade) onClose();
  });
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <ShownOnce
      title="New webhook"
      opened={opened}
      onClose={close}
      secret={
        create.data?.secret && isMade
          ? {
              says: 'Deliveries are signed with this secret. It is shown only once: copy it now.',
              text: create.data.secret,
              label: 'the secret',
            }
          : undefined
      }
    >
      <WebhookForm
        webhook={null}
        error={create.error}
        busy={create.isPending}
        onSubmit={({ secret, ...draft }) => {
          setIsMade(secret === '' && draft.format === 'STANDARD');
          create.mutate({ projectId, ...draft, ...(secret !== '' && { secret }) });
        }}
      />
    </ShownOnce>
  );
}

function ChangeWebhook({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const [opened, setOpened] = useState(false);
  const update = useChange('updateWebhook', () => setOpened(false));
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Change
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Edit webhook">
        <WebhookForm
          key={webhook.version}
          webhook={webhook}
          error={update.error}
          busy={update.isPending}
          onSubmit={({ url, secret, ...draft }) =>
            update.mutate({
              projectId,
              webhookId: webhook.id,
              ...draft,
              ...(url !== '' && { url }),
              ...(secret !== '' && { secret }),
            })
          }
        />
      </Modal>
    </>
  );
}

function NewSecret({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const [opened, setOpened] = useState(false);
  const rotate = useChange('rotateWebhookSecret');
  const close = () => {
    setOpened(false);
    rotate.reset();
  };
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        New secret
      </Button>
      <ShownOnce
        title="New secret"
        opened={opened}
        onClose={close}
        secret={
          rotate.data && {
            says: 'Deliveries are now signed with this secret, and for 24 hours also with the previous one. It is shown only once: copy it now.',
            text: rotate.data.secret,
            label: 'the secret',
          }
        }
      >
        <Stack>
          <Text size="sm">
            For 24 hours, deliveries carry two signatures, one by the new secret and one by the previous secret, so that
            you can update the receiver without losing deliveries.
          </Text>
          {rotate.error && <Failed error={rotate.error} />}
          <Button loading={rotate.isPending} onClick={() => rotate.mutate({ projectId, webhookId: webhook.id })}>
            Create new secret
          </Button>
        </Stack>
      </ShownOnce>
    </>
  );
}

export function WebhookPage() {
  const { projectId, webhookId } = useParams() as { projectId: string; webhookId: string };
  const webhook = useCall('getWebhook', { projectId, webhookId }, { everyMs: 5000 });
  const test = useChange('testWebhook');
  const update = useChange('updateWebhook');
  return (
    <Answer of={webhook}>
      {(w) => (
        <Page
          title="Webhook"
          over={
            <Anchor component={Link} to={`/projects/${projectId}/webhooks`} size="sm">
              Webhooks
            </Anchor>
          }
          beside={state(w)}
          actions={
            <>
              <Button
                variant="default"
                loading={update.isPending}
                onClick={() => update.mutate({ projectId, webhookId, enabled: !w.enabled })}
              >
                {w.enabled ? 'Switch off' : 'Switch on'}
              </Button>
              <ChangeWebhook projectId={projectId} webhook={w} />
              {w.format === 'STANDARD' && <NewSecret projectId={projectId} webhook={w} />}
              <Button loading={test.isPending} onClick={() => test.mutate({ projectId, webhookId })}>
                Send a test
              </Button>
            </>
          }
        >
          <Text style={{ overflowWrap: 'anywhere' }} component="div">
            {w.url} · {plain(w.format)} · {w.events.join(', ')}
            {w.previousSecretUntil && (
              <Text size="sm" c="dimmed" component="div">
                Deliveries are also signed with the previous secret until <Time at={w.previousSecretUntil} />.
              </Text>
            )}
          </Text>
          <Unlinked />
          {w.disabledReason && (
            <Alert color="orange" variant="outline" title="Switched off">
              {w.disabledReason} (<Time at={w.disabledAt} relative />)
            </Alert>
          )}
          {w.enabled && w.failingSince && (
            <Alert color="red" variant="outline" title="Deliveries fail">
              Since <Time at={w.failingSince} />. See the list below for the reasons.
            </Alert>
          )}
          {[test.error, update.error].map((e) => e && <Failed key={e.message} error={e} />)}
          <Deliveries projectId={projectId} webhookId={webhookId} />
        </Page>
      )}
    </Answer>
  );
}
