/** What an agent counts of its calls: every finding from the start, each once a call; the alert about unheard calls lists all of them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FAULT_KINDS, FINDING_KINDS, isUnheard } from '@carillon/proto/words/findings.ts';
import t from 'tap';
import { parse } from 'yaml';
import type { FindingFact, OutcomeFact } from '../run/report/facts.ts';
import { createAgentMetrics } from './metrics.ts';

const RULES = path.resolve(import.meta.dirname, '../observability/alert-rules.yaml');

const metrics = createAgentMetrics({ sip: 'ffi', rtp: 'ffi', srtp: 'none', priority: 'normal' });
metrics.watch({
  endpoints: () => 0,
  linkState: () => 'ONLINE',
  outboxDepth: () => 0,
  policy: () => ({ fault: null, taken: 0, refused: 0, minutesToday: 0 }),
  linkOfflineMs: () => 0,
  clockErrorMs: () => 0,
  outboxBytes: () => 0,
  outboxDropped: () => ({ full: 0, refused: 0 }),
  strays: () => ({ malformed: 0, refusedByPolicy: 0, unclaimed: 0, withheld: 0 }),
  hep: () => ({ sent: 0, dropped: 0 }),
});

const none = Number.NaN;
const answered = { attempted: true, finalStatus: 200, outcome: 'SUCCESS', cause: null, callResult: 'SUCCESS' } as const;
const outcome = (more: Partial<OutcomeFact>): OutcomeFact =>
  ({
    ...answered,
    ...{ callSetupMs: none, registerRttMs: none, connectMs: none, tlsMs: none, optionsRttMs: none, refreshes: null },
    findings: [],
    ...more,
  }) as OutcomeFact;
const found = (kind: FindingFact['kind'], stream: number | null, tolerated = false): FindingFact => ({
  ...{ kind, stream, tolerated, atMs: none, lastedMs: none, count: 0, of: 0, detail: '' },
});

/** Values by label of the series whose names start with the prefix. */
const counts = async (series: string, label: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await metrics.text())
      .split('\n')
      .filter((line) => line.startsWith(series))
      .map((line) => [new RegExp(`${label}="(\\w+)"`).exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]),
  );

t.test('every finding is there from the start, and counted once a call', async (t) => {
  const nothing = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, 0]));
  const FINDINGS = 'carillon_agent_findings_total{';
  t.same(await counts(FINDINGS, 'finding'), nothing);
  t.match(await metrics.text(), /^carillon_agent_calls_answered_total 0$/m);
  metrics.onOutcome(outcome({}));
  const deaf = { outcome: 'CALL_FAILED', cause: 'NO_MEDIA' } as const;
  metrics.onOutcome(
    outcome({ ...deaf, findings: [found('NO_MEDIA', 0), found('NO_MEDIA', 1), found('MISSING_ACK', null)] }),
  );
  metrics.onOutcome(outcome({ findings: [found('NO_MEDIA', 0, true)] }));
  const busy = { outcome: 'CALL_FAILED', cause: 'BUSY', callResult: 'REJECTED', finalStatus: 486 } as const;
  metrics.onOutcome(outcome(busy));
  metrics.onOutcome(outcome({ attempted: false, callResult: null, finalStatus: 0 }));
  t.same(await counts(FINDINGS, 'finding'), { ...nothing, NO_MEDIA: 2, MISSING_ACK: 1 });
  t.match(await metrics.text(), /^carillon_agent_calls_answered_total 3$/m);
  t.match(await counts('carillon_agent_calls_total{', 'result'), { SUCCESS: 3, REJECTED: 1 }, 'as signalling says');
  const closed = await counts('carillon_agent_endpoints_closed_total{outcome="CALL_FAILED"', 'cause');
  t.match(closed, { NO_MEDIA: 1, BUSY: 1, ONE_WAY_AUDIO: 0 }, 'as callers say; what is tolerated fails nothing');
  const said = spawnSync('promtool', ['check', 'metrics'], { input: await metrics.text(), encoding: 'utf8' });
  t.same({ code: said.status, out: said.stdout + said.stderr }, { code: 0, out: '' });
});

t.test('the alert is about every way of not being heard', async (t) => {
  const [group] = (parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] })
    .groups;
  const { expr } = group?.rules.find((rule) => rule.alert === 'CarillonCallsUnheard') ?? { expr: '' };
  t.same(/cause=~"([^"]*)"/.exec(expr)?.[1]?.split('|'), FAULT_KINDS.filter(isUnheard));
  const closed = await counts('carillon_agent_endpoints_closed_total{', 'cause');
  for (const kind of FAULT_KINDS.filter(isUnheard)) t.ok(kind in closed, `${kind} has a rate at its first call`);
});
