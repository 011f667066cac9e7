/** The search in a run's SIP messages. Untrusted text is shown as text. The filters are in the address. */
import { Alert, Anchor } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../../api.ts';
import { Drawer } from '../../basics/dialog.tsx';
import { plural } from '../../basics/figures.ts';
import { Answer, Empty } from '../../basics/page.tsx';
import { Pages } from '../../basics/pages.tsx';
import { useAddress } from '../../basics/use-address.ts';
import { SipMessage } from '../../call/sip-message.tsx';
import { MessageFilter, type MessageSearch } from './message-filter.tsx';
import { MessageTable, messageText, type RunMessage } from './message-table.tsx';

type Run = { readonly projectId: string; readonly runId: string };

export function RunMessages(run: Run) {
  const { projectId, runId } = run;
  const [search, go] = useAddress<MessageSearch>('mpage', 'mfrom');
  const [opened, setOpened] = useState<RunMessage | null>(null);
  const messages = useCall('listTestRunMessages', {
    projectId,
    testRunId: runId,
    page: Number(search.mpage ?? 1),
    ...(search.mtext && { text: search.mtext }),
    ...(search.mmethod && { method: search.mmethod }),
    ...(search.mstatus && { status: search.mstatus }),
    ...(search.mfrom && { from: search.mfrom }),
  });
  return (
    <>
      <MessageFilter search={search} error={messages.error} go={go} />
      <Answer of={messages}>
        {({ rows, search: how }) => (
          <>
            {how && !how.complete && (
              <Alert color="yellow" variant="outline" mx={18} mb={10}>
                Looked at the first {plural(how.scanned, 'message')}.{' '}
                {how.until && (
                  <Anchor component="button" type="button" size="sm" onClick={() => go({ mfrom: how.until as string })}>
                    Continue from there
                  </Anchor>
                )}
              </Alert>
            )}
            {rows.length === 0 ? (
              <Empty title="No matching message" />
            ) : (
              <MessageTable messages={rows} run={`/projects/${projectId}/runs/${runId}`} onOpen={setOpened} />
            )}
          </>
        )}
      </Answer>
      {messages.data && (
        <Pages
          pagination={messages.data.pagination}
          what="messages"
          onPage={(n) => go({ mpage: String(n), mfrom: search.mfrom })}
        />
      )}
      <MessageDrawer {...run} message={opened} onClose={() => setOpened(null)} />
    </>
  );
}

type DrawerProps = Run & { readonly message: RunMessage | null; readonly onClose: () => void };

const MessageDrawer = ({ message, onClose, ...run }: DrawerProps) => (
  <Drawer
    opened={message !== null}
    onClose={onClose}
    position="right"
    size="xl"
    title={message && messageText(message)}
    closeButtonProps={{ 'aria-label': 'Close' }}
  >
    {message && <SipMessage key={message.id} {...run} message={message} seen={null} offer={null} />}
  </Drawer>
);
