/** The 13 tools (docs/contract.md, MCP): each is a GET of the catalogue under another name. */
import type { KnownName } from '../contract/catalogue.ts';

export type Tool = {
  readonly operation: KnownName;
  readonly title: string;
  readonly description: string;
  /** The fields, anywhere in an answer, with text from untrusted peers. */
  readonly untrusted?: readonly string[];
};

export const TOOLS: Readonly<Record<string, Tool>> = {
  list_projects: {
    operation: 'listProjects',
    title: 'List projects',
    description: 'Projects of the key. Start here: tools need a projectId.',
  },
  get_project: { operation: 'getProject', title: 'Get project', description: 'One project.' },
  list_tests: { operation: 'listTests', title: 'List tests', description: 'SIP load tests of a project.' },
  get_test: {
    operation: 'getTest',
    title: 'Get test',
    description: 'One test in full, with sub-populations and tracks.',
  },
  list_test_runs: {
    operation: 'listTestRuns',
    title: 'List test runs',
    description: 'Runs, last submitted first; result says what each came to.',
  },
  get_test_run: {
    operation: 'getTestRun',
    title: 'Get test run',
    description:
      'One run: status, validity (trust in the figures), callQuality (what callers got; unreported: by the far end), findings (why answered calls failed), thresholds and passed, quality summary, ASR/NER, call timing, SIP response codes, failure clusters. A count or `measured` of 0 means not measured.',
    untrusted: ['reasonPhrase', 'reason', 'explanation', 'target', 'number', 'method', 'message'],
  },
  get_test_run_metrics: {
    operation: 'getTestRunMetrics',
    title: 'Get test run metrics',
    description: 'Quality over time: points [instant, avg, min, max, count]. Narrow by resolution or endpoint_id.',
  },
  list_test_run_endpoints: {
    operation: 'listTestRunEndpoints',
    title: 'List test run endpoints',
    description:
      'Which endpoints of a run failed and why: failure.sentence, findings of calls. Narrow by outcome or finding (NO_MEDIA: answered, nothing heard); order=worst: failures, then calls without media. If endpoints place several calls, an entry is the first; calls says how many failed and why. Filters match any.',
    untrusted: [
      'calleeUri',
      'callId',
      'finalReasonPhrase',
      'message',
      'sentence',
      'reason',
      'reasonText',
      'warning',
      'q850Name',
      'remote',
    ],
  },
  list_probes: {
    operation: 'listProbes',
    title: 'List probes',
    description:
      'Monitoring probes. Read lastSkipReason and autoPauseReason before status: while set, it does not run.',
    untrusted: ['lastMessage'],
  },
  get_probe: {
    operation: 'getProbe',
    title: 'Get probe',
    description: 'Schedule, thresholds and recent runs of one probe.',
    untrusted: ['lastMessage', 'message'],
  },
  list_probe_incidents: {
    operation: 'listProbeIncidents',
    title: 'List probe incidents',
    untrusted: ['reason'],
    description: 'Incidents of a probe and its regional siblings.',
  },
  list_probe_runs: {
    operation: 'listProbeInstances',
    title: 'List probe runs',
    untrusted: ['message'],
    description: 'Executions of a probe, with each metric.',
  },
  list_registrars: { operation: 'listRegistrars', title: 'List registrars', description: 'SIP registrars.' },
};
