/** The organization: the plan's limits and current use, and its settings. */
import { SimpleGrid, Table, Text } from '@mantine/core';
import { Suspense } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { FEATURE_PAGES } from '../../feature-sums/pages.ts';
import { useCall } from '../api.ts';
import type { FeaturePages } from '../feature.ts';
import { useMay, useMe } from '../me.tsx';
import { count, duration, number, plural } from '../show/basics/figures.ts';
import { Answer, Card, Page, Waiting } from '../show/basics/page.tsx';
import { Time } from '../show/basics/time.tsx';
import { plain } from '../show/basics/words.tsx';
import { DeleteOrganization, KeyLifeSetting, NameSetting, SecondFactorSetting } from './organization-settings.tsx';

const FEATURES: readonly FeaturePages[] = FEATURE_PAGES;

type PlanUse = Output<'getPlan'>;
type Limits = PlanUse['limits'];

export function OrganizationPage() {
  const me = useMe();
  const may = useMay();
  const plan = useCall('getPlan', {}, { everyMs: 5000 });
  return (
    <Page
      title="Organization"
      over={me.organization.name}
      actions={FEATURES.flatMap(({ organizationActions = [] }) =>
        organizationActions.map(([key, Action]) => <Action key={key} />),
      )}
    >
      <Answer of={plan}>
        {(p) => (
          <>
            <Use use={p} />
            <Plans use={p} />
          </>
        )}
      </Answer>
      {may('OWNER') && <NameSetting key={me.organization.name} name={me.organization.name} />}
      {FEATURES.flatMap(({ organizationCards = [] }) =>
        organizationCards.map(([key, FeatureCard]) => (
          <Suspense key={key} fallback={<Waiting />}>
            <FeatureCard />
          </Suspense>
        )),
      )}
      {may('OWNER') && <SecondFactorSetting present={me.organization.needsSecondFactor} />}
      {may('OWNER') && <KeyLifeSetting present={me.organization.keyDays} />}
      {may('OWNER') && me.allProjects && <DeleteOrganization name={me.organization.name} />}
    </Page>
  );
}

const Use = ({ use: { plan, limits, used, period } }: { use: PlanUse }) => (
  <Card
    title={`Plan ${plain(plan)}`}
    note={
      <>
        Endpoint minutes and runs count from <Time at={period.from} /> to <Time at={period.to} />.
      </>
    }
  >
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="lg" verticalSpacing="lg">
      <Meter
        name="Endpoint minutes this month"
        used={used.endpointMinutes + used.heldEndpointMinutes}
        limit={limits.endpointMinutesPerMonth}
        note={
          used.heldEndpointMinutes > 0
            ? `${number(used.heldEndpointMinutes, 1)} reserved by open runs`
            : 'endpoints multiplied by the minutes of their runs'
        }
      />
      <Meter name="Endpoints at once" used={used.concurrentEndpoints} limit={limits.concurrentEndpoints} note="now" />
      <Meter name="Runs at once" used={used.concurrentRuns} limit={limits.concurrentRuns} note="now" />
      <Meter name="Probes" used={used.probes} limit={limits.probes} note="in all projects" />
    </SimpleGrid>
    <Text size="sm" mt="lg">
      {count(used.runs)} {used.runs === 1 ? 'run has' : 'runs have'} ended this month. A run may take{' '}
      {limits.maxRunSeconds === null ? 'as long as it needs' : `up to ${duration(limits.maxRunSeconds)}`}; the API{' '}
      {limits.apiAccess
        ? `answers ${plural(limits.requestsPerMinute, 'request')} a minute and key.`
        : 'is not included.'}
    </Text>
  </Card>
);

type MeterProps = {
  readonly name: string;
  readonly used: number;
  readonly limit: number | null;
  readonly note: string;
};

function Meter({ name, used, limit, note }: MeterProps) {
  const share = limit === null ? 0 : limit === 0 ? 1 : used / limit;
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'accent';
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <div className="figure">
        {number(used, 1)}
        <small>{limit === null ? 'no limit' : `of ${count(limit)}`}</small>
      </div>
      {limit !== null && (
        <div className="bar" style={{ margin: '6px 0 4px' }} aria-hidden>
          {share > 0 && <span className={tone} style={{ width: `${Math.min(100, share * 100)}%` }} />}
        </div>
      )}
      <Text size="xs" c="dimmed">
        {share >= 1 ? 'used up' : note}
      </Text>
    </div>
  );
}

const limit = (n: number | null): string => (n === null ? 'no limit' : count(n));
const ROWS: readonly (readonly [string, (l: Limits) => string])[] = [
  ['Endpoints at once', (l) => limit(l.concurrentEndpoints)],
  ['Runs at once', (l) => limit(l.concurrentRuns)],
  ['Probes', (l) => limit(l.probes)],
  ['Longest run', (l) => (l.maxRunSeconds === null ? 'no limit' : duration(l.maxRunSeconds))],
  ['Endpoint minutes a month', (l) => limit(l.endpointMinutesPerMonth)],
  ['API and MCP', (l) => (l.apiAccess ? `${count(l.requestsPerMinute)} requests a minute` : 'not included')],
];

const Plans = ({ use }: { use: PlanUse }) => (
  <Card
    title="Plans of this installation"
    note="The operator of the installation defines the plans and assigns them to organizations."
    pad={false}
  >
    <Table miw={760}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Includes</Table.Th>
          {use.plans.map(({ plan }) => (
            <Table.Th key={plan} ta="right">
              {plain(plan)}
              {plan === use.plan && ' (yours)'}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ROWS.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {name}
            </Table.Th>
            {use.plans.map(({ plan, limits }) => (
              <Table.Td key={plan} ta="right" fw={plan === use.plan ? 650 : 400}>
                {value(limits)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Card>
);
