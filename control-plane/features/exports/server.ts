/** What files of runs add to the control plane. */
import type { Handlers } from '../../operations/request/perform.ts';
import { exportTestRunEndpoints, exportTestRunReport } from './operations/run-files.ts';
import { exportTestRunEndpointTrace, exportTestRunTrace } from './operations/trace-file.ts';
import type { ROWS } from './rows.ts';

export const HANDLERS: Pick<Handlers, keyof typeof ROWS> = {
  exportTestRunTrace,
  exportTestRunEndpointTrace,
  exportTestRunEndpoints,
  exportTestRunReport,
};
