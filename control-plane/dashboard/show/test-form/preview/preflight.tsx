/**
 * Whether the test would run now. Each check has its result, and the server is asked every few seconds. The answers of the test's
 * servers are shown, too.
 */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { useChange } from '../../../api.ts';
import { useMay } from '../../../me.tsx';
import { Link } from '../../../router.tsx';
import { bitsPerSecond, count, number, plural } from '../../basics/figures.ts';
import { Answer, Card } from '../../basics/page.tsx';
import { Mark } from '../../basics/words.tsx';

type Preflight = Output<'preflightTest'>;
type Check = Preflight['checks'][number];
type PreflightQuery = Parameters<typeof Answer<Preflight>>[0]['of'];

const NAMES: Readonly<Record<Check['check'], string>> = {
  RESOURCES: 'Registrars and media',
  SIP_ACCOUNTS: 'SIP accounts',
  CALLS_FROM: 'Accepted callers',
  DESTINATIONS: 'Where calls go',
  PLAN: 'Plan',
  WORKERS: 'Agents',
  CAPACITY: 'Room',
  POLICY: "Hosts' policies",
  SIP_SERVERS: 'SIP servers',
  WEB_SOCKETS: 'WebSockets',
  GATEWAYS: 'Gateways',
  STUN_SERVERS: 'STUN servers',
};
const VERDICTS = { PASS: ['good', 'fine'], WARN: ['warn', 'look'], FAIL: ['bad', 'not yet'] } as const;

type Props = { readonly projectId: string; readonly testId: string; readonly of: PreflightQuery };

export const PreflightCard = ({ projectId, testId, of }: Props) => (
  <Card title="Preflight" note="For the saved test">
    <Answer of={of}>
      {({ isReady, checks, blastRadius }) => (
        <Stack gap="sm">
          <Text size="sm" fw={600} role="status">
            {isReady ? 'The test can run now.' : 'The test cannot run now:'}
          </Text>
          <Radius of={blastRadius} />
          {checks
            .filter(({ places }) => !places)
            .map((check) => (
              <Question key={check.check} check={check} />
            ))}
          <Servers projectId={projectId} testId={testId} checks={checks.filter(({ places }) => places)} />
        </Stack>
      )}
    </Answer>
  </Card>
);

/** The targets and amounts of a run, shown before it starts. */
export const Radius = ({ of: r }: { readonly of: Preflight['blastRadius'] }) => (
  <div style={{ overflowWrap: 'anywhere' }}>
    <Text size="sm">
      A run sends up to <b>{plural(r.calls, 'call')}</b>: at most {number(r.callsPerSecond, 1)} a second and{' '}
      {count(r.callsAtOnce)} at once, {plural(r.callMinutes, 'minute')} in all
      {r.audioBitsPerSecond > 0 && <>, {bitsPerSecond(r.audioBitsPerSecond)} of audio each way</>}
      {r.mediaPorts > 0 && <>, {plural(r.mediaPorts, 'port')}</>}
      {r.sipAccounts > 0 && <>, {plural(r.sipAccounts, 'SIP account')}</>}.
    </Text>
    <Text size="sm" c="dimmed">
      {r.destinations.length > 0
        ? `To ${r.destinations.join(', ')}${r.moreDestinations > 0 ? ` and ${r.moreDestinations} more` : ''}.`
        : 'Only to endpoints of the test.'}{' '}
      {r.allowed && (
        <>
          The hosts allow {plural(r.allowed.callsPerSecond, 'call')} a second, {count(r.allowed.durationSeconds)} s each
          {r.allowed.minutesADay !== null && <>, {count(r.allowed.minutesADay)} minutes a day</>}.
        </>
      )}
    </Text>
  </div>
);

const Question = ({ check: { check, verdict, message, places } }: { readonly check: Check }) => (
  <div>
    <Mark tone={VERDICTS[verdict][0]}>
      {NAMES[check]}: {VERDICTS[verdict][1]}
    </Mark>
    {(places ?? [{ name: '', message }]).map((place) => (
      <div key={place.name} style={{ marginTop: places ? 4 : 0, overflowWrap: 'anywhere' }}>
        {place.name && <Text size="sm">{place.name}</Text>}
        <Text size="sm" c="dimmed">
          {place.message}
        </Text>
      </div>
    ))}
  </div>
);

type ServersProps = { readonly projectId: string; readonly testId: string; readonly checks: readonly Check[] };

/** Checks that only agents can make. They are started on request, because they send messages. */
function Servers({ projectId, testId, checks }: ServersProps) {
  const may = useMay(projectId)('TESTER');
  const ask = useChange('checkTest');
  const [first] = checks;
  if (!first) return null;
  return (
    <>
      {checks.map((check) => (
        <Question key={check.check} check={check} />
      ))}
      {ask.error && (
        <Alert color="red" variant="outline" title="The servers could not be checked" role="alert">
          {ask.error.message}
        </Alert>
      )}
      {may && (
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          loading={ask.isPending}
          onClick={() => ask.mutate({ projectId, testId })}
        >
          Check servers now
        </Button>
      )}
      {first.testRunId && (
        <Text size="sm">
          <Anchor component={Link} to={`/projects/${projectId}/runs/${first.testRunId}`} underline="always">
            Show SIP messages
          </Anchor>
        </Text>
      )}
    </>
  );
}
