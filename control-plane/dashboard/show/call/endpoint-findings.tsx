/** The failure and the findings of a call, in sentences above the figures. */
import { Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { Time } from '../basics/time.tsx';
import { Mark } from '../basics/words.tsx';
import { failureTitle, releaseWords } from '../heard/failure-words.ts';
import { lengthWords } from '../heard/finding-marks.ts';
import { causedBy, weightOf } from '../heard/finding-words.ts';

type Endpoint = Output<'getTestRunEndpoint'>;
type Finding = Endpoint['findings'][number];

export function EndpointFindings({ endpoint: e }: { endpoint: Endpoint }) {
  const { failure, findings } = e;
  if (!failure && findings.length === 0) return null;
  const cause = findings.find((f) => f.finding === failure?.cause && !f.tolerated);
  const others = findings.filter((f) => f !== cause);
  const tone = failure ? 'bad' : findings.every((f) => f.tolerated) ? 'none' : 'warn';
  return (
    <section className={`card banner ${tone}`} aria-label="Findings">
      <ul className="found found-first" aria-label="Findings">
        {failure && <WhyFailed endpoint={e} failure={failure} cause={cause} />}
        {others.map((f) => (
          <li key={`${f.finding} ${f.stream}`}>
            <Mark tone={weightOf(f)[0]}>{weightOf(f)[1]}</Mark>
            <div className="found-what">
              <b>{f.title}</b>
              <div>{f.message}</div>
              <Facts finding={f} streams={e.streams} party={f.party} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

type WhyProps = {
  readonly endpoint: Endpoint;
  readonly failure: NonNullable<Endpoint['failure']>;
  /** The finding that made the call fail; undefined: signalling made it fail. */
  readonly cause: Finding | undefined;
};

function WhyFailed({ endpoint, failure, cause }: WhyProps) {
  const release = releaseWords(endpoint);
  return (
    <li>
      <Text size="lg" component="div">
        <Mark tone="bad">{cause ? 'Fault' : 'Failed'}</Mark>
      </Text>
      <div className="found-what">
        <Text size="lg" fw={650}>
          {failureTitle(failure)}
        </Text>
        <Text>{failure.sentence}</Text>
        <Facts finding={cause} streams={endpoint.streams} party={failure.party} />
        {release.length > 0 && <div className="quiet">{release.join(' · ')}</div>}
      </div>
    </li>
  );
}

type FactsProps = {
  readonly finding: Finding | undefined;
  readonly streams: Endpoint['streams'];
  readonly party: Finding['party'];
};

/** The party, stream, start and duration of a finding, and whether it counts. */
function Facts({ finding: f, streams, party }: FactsProps) {
  const codec = streams.find((s) => s.stream === f?.stream)?.codec;
  const by = causedBy(party);
  return (
    <div className="quiet">
      {by.charAt(0).toUpperCase() + by.slice(1)}
      {codec !== undefined && ` · stream ${f?.stream} (${codec})`}
      {f && (f.at !== null || f.seconds !== null) && ' · '}
      {f && f.at !== null && (
        <>
          from <Time at={f.at} withMs />{' '}
        </>
      )}
      {f && lengthWords(f)}
      {f?.tolerated && ' · tolerated by the group: it does not fail the call'}
    </div>
  );
}
