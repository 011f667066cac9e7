/** The report of a run, as anybody with its address sees it. */

import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { renderReport } from '../../../domain/report/report.ts';

export const DASHBOARD: DashboardOfFeature = {
  publicPages: { '/shared/$shareToken': 'Over time' },
  make: async (ask, at, { runId }) => {
    const { path = '' } = await ask<{ path?: string }>('POST', `${at}/test-runs/${runId}/share-links`, {});
    return { shareToken: path.replace('/shared/', '') };
  },
  pictured: {
    'report-of-a-run': {
      address: () => '/shared/report',
      ready: 'Over time',
      isInside: false,
      document: ({ projectId, runId }, answered) => {
        const run = `/projects/${projectId}/test-runs/${runId}`;
        return renderReport({
          run: answered(run),
          probe: null,
          timeline: answered(`${run}/timeline`),
          endpoints: answered(`${run}/endpoints?page=1&per_page=100&order=worst`),
          sections: [],
          brand: null,
          madeAt: new Date('2026-11-28T20:06:00Z'),
        });
      },
    },
  },
};
