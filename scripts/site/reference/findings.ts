/** docs/reference/findings.md: findings of calls, and reasons why endpoints fail. */
import { CAUSES, type Cause } from '../../../proto/words/causes.ts';
import { FINDINGS, isFindingKind } from '../../../proto/words/findings.ts';
import { code, HEAD, table } from './table.ts';

const findings = Object.entries(FINDINGS).map(([kind, { severity, party, title, restsOn }]) => [
  code(kind),
  severity,
  party,
  title,
  restsOn,
]);

const causes = Object.entries(CAUSES)
  .filter(([cause]) => !isFindingKind(cause))
  .map(([cause, { outcome, result, party, meaning }]) => [code(cause as Cause), outcome, result, party, meaning]);

export const findingsPage = (): string => `${HEAD}

# Findings and causes

## Findings

A finding is a fact about a call, determined from measurements when the call ends. A FAULT makes the call fail, unless its
group tolerates it; a NOTE is worth knowing. *Party* is the side at fault, seen from the end that has the finding.

${table(['finding', 'severity', 'party', 'what was found', 'rests on'], findings)}

## Causes

Why an endpoint failed. An answered call that failed because of a fault has the name of that finding as its cause. *Outcome*
is what the endpoint got, *result* what signalling says, *party* the side at fault.

${table(['cause', 'outcome', 'result', 'party', 'meaning'], causes)}
`;
