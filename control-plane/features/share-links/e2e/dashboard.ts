/** The report of a run, as anybody with its address sees it. */
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';

export const DASHBOARD: DashboardOfFeature = {
  publicPages: { '/shared/$shareToken': 'Over time' },
  make: async (ask, at, { runId }) => {
    const { path = '' } = await ask<{ path?: string }>('POST', `${at}/test-runs/${runId}/share-links`, {});
    return { shareToken: path.replace('/shared/', '') };
  },
};
