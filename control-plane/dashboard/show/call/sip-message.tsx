/** One SIP message: its text with names and addresses in colour, and how its SDP differs from the offer. */
import { Group, Stack, Text, Title } from '@mantine/core';
import { useCall } from '../../api.ts';
import { CopyMark } from '../basics/copy.tsx';
import { count } from '../basics/figures.ts';
import { Answer } from '../basics/page.tsx';
import { Time } from '../basics/time.tsx';
import type { LadderMessage } from './ladder-model.ts';
import { type DiffLine, sdpDifference, sdpOf } from './sdp.ts';

type RunIds = { readonly projectId: string; readonly runId: string };
type Props = RunIds & {
  readonly message: LadderMessage;
  /** The message as the other end received it. */
  readonly seen: LadderMessage | null;
  readonly offer: LadderMessage | null;
};

export function SipMessage({ projectId, runId, message, seen, offer }: Props) {
  const detail = useCall('getTestRunMessage', { projectId, testRunId: runId, messageId: message.id });
  return (
    <Stack>
      <Text size="sm" c="dimmed" component="div">
        {message.direction === 'SENT' ? 'Sent to' : 'Received from'} {message.peer}, <Time at={message.at} withMs />,{' '}
        {count(message.lengthBytes)} bytes. This text may come from an untrusted peer.
        {seen && (
          <>
            {' '}
            The other end received it at <Time at={seen.at} withMs />, by the agent's clock.
          </>
        )}
      </Text>
      <Answer of={detail}>
        {({ text }) =>
          text === null ? (
            <Text>The stored message cannot be read.</Text>
          ) : (
            <>
              <Group justify="flex-end" mb={-12}>
                <CopyMark text={text} label="the message" />
              </Group>
              <MessageText text={text} />
              {offer && sdpOf(text) && (
                <AgainstOffer projectId={projectId} runId={runId} offer={offer} answer={sdpOf(text) ?? []} />
              )}
            </>
          )
        }
      </Answer>
    </Stack>
  );
}

function AgainstOffer({
  projectId,
  runId,
  offer,
  answer,
}: RunIds & { readonly offer: LadderMessage; readonly answer: readonly string[] }) {
  const detail = useCall('getTestRunMessage', { projectId, testRunId: runId, messageId: offer.id });
  return (
    <section aria-label="SDP compared with its offer">
      <Title order={3} size="h5" mb={6}>
        SDP compared with its offer
      </Title>
      <Answer of={detail}>
        {({ text }) => {
          const offered = sdpOf(text ?? '');
          if (!offered) return <Text size="sm">The INVITE had no SDP: this is the offer.</Text>;
          return (
            <>
              <Group gap="lg" mb={6}>
                <Text size="sm">
                  <b>−</b> only in the offer
                </Text>
                <Text size="sm">
                  <b>+</b> only in the answer
                </Text>
              </Group>
              <pre className="message card card-pad">
                {sdpDifference(offered, answer).map((line, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
                  <Difference key={i} line={line} />
                ))}
              </pre>
            </>
          );
        }}
      </Answer>
    </section>
  );
}

const SIGNS = { SAME: '  ', OFFER: '− ', ANSWER: '+ ' } as const;

const Difference = ({ line: { is, text } }: { line: DiffLine }) =>
  is === 'SAME' ? (
    <span className="diff">{`${SIGNS[is]}${text}\n`}</span>
  ) : is === 'OFFER' ? (
    <del className="diff">{`${SIGNS[is]}${text}\n`}</del>
  ) : (
    <ins className="diff">{`${SIGNS[is]}${text}\n`}</ins>
  );

const MessageText = ({ text }: { text: string }) => (
  <pre className="message card card-pad">
    {text.split(/\r?\n/).map((line, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
      <Line key={i} text={line} isFirst={i === 0} />
    ))}
  </pre>
);

/** SIP URIs (`sip:…`), and parameters that identify dialogs and transactions. */
const PARTS = /(sips?:[^\s<>;,"]+|;(?:tag|branch|received|rport)=[^;,\s]*)/i;

/** The start line, names of headers and SDP lines, addresses and tags each have a colour of their own. */
function Line({ text, isFirst }: { text: string; isFirst: boolean }) {
  if (isFirst) return <b className="sip-start">{`${text}\n`}</b>;
  const name = /^([\w-]+\s*:|[a-z]=)/.exec(text)?.[0] ?? '';
  return (
    <>
      <b>{name}</b>
      {text
        .slice(name.length)
        .split(PARTS)
        .map((part, i) =>
          i % 2 === 0 ? (
            part
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line
            <span key={i} className={/^sip/i.test(part) ? 'sip-uri' : 'sip-tag'}>
              {part}
            </span>
          ),
        )}
      {'\n'}
    </>
  );
}
