/** Would the test run now? Each question with its answer, asked of the server every few seconds. */
import { Stack, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { Answer, Card } from '../basics/page.tsx';
import { Mark } from '../basics/words.tsx';

type Preflight = Output<'preflightTest'>;
type Asked = Parameters<typeof Answer<Preflight>>[0]['of'];

const NAMES: Readonly<Record<Preflight['checks'][number]['check'], string>> = {
  RESOURCES: 'Registrars and media',
  SIP_ACCOUNTS: 'SIP accounts',
  PLAN: 'Plan',
  WORKERS: 'Agents',
  CAPACITY: 'Room',
  POLICY: "Hosts' policies",
};
const VERDICTS = { PASS: ['good', 'fine'], WARN: ['warn', 'look'], FAIL: ['bad', 'not yet'] } as const;

export const PreflightCard = ({ of }: { of: Asked }) => (
  <Card title="Before it runs" note="As it was saved">
    <Answer of={of}>
      {({ isReady, checks }) => (
        <Stack gap="sm">
          <Text size="sm" fw={600} role="status">
            {isReady ? 'It can run now.' : 'It would not run now:'}
          </Text>
          {checks.map(({ check, verdict, message }) => (
            <div key={check}>
              <Mark tone={VERDICTS[verdict][0]}>
                {NAMES[check]}: {VERDICTS[verdict][1]}
              </Mark>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {message}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Answer>
  </Card>
);
