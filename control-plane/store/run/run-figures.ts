/** The figures of a run, which are stored when it has ended, and again when late facts arrive. */
import type { CallQuality, RunFinding } from '../../contract/run/findings.ts';
import type {
  CallTiming,
  FailureClusters,
  ProgressCounts,
  SipRequest,
  SipResponse,
  Starts,
  Summary,
  Validity,
} from '../../contract/run/run.ts';
import type { JudgedThreshold } from '../../contract/threshold.ts';
import type { Tx } from '../db.ts';

export type RunFigures = {
  readonly summary: Summary;
  readonly callTiming: CallTiming;
  readonly sipResponses: SipResponse[];
  readonly sipRequests: SipRequest[];
  readonly validity: Validity;
  readonly clusters: FailureClusters;
  readonly progress: ProgressCounts;
  readonly starts: Starts;
  readonly callQuality: CallQuality;
  readonly findings: RunFinding[];
  readonly thresholds: JudgedThreshold[];
  readonly passed: boolean | null;
};

export const storeFigures = (tx: Tx, id: string, f: RunFigures): Promise<unknown> =>
  tx
    .updateTable('test_runs')
    .set({
      summary: JSON.stringify(f.summary),
      call_timing: JSON.stringify(f.callTiming),
      sip_responses: JSON.stringify(f.sipResponses),
      sip_requests: JSON.stringify(f.sipRequests),
      validity: JSON.stringify(f.validity),
      failure_clusters: JSON.stringify(f.clusters),
      progress: JSON.stringify(f.progress),
      starts: JSON.stringify(f.starts),
      call_quality: JSON.stringify(f.callQuality),
      findings: JSON.stringify(f.findings),
      thresholds: JSON.stringify(f.thresholds),
      passed: f.passed,
    })
    .where('id', '=', id)
    .execute();
