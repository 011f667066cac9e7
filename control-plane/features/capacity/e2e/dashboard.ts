/** The pages of capacity searches, with a search that was cancelled. */
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';

export const DASHBOARD: DashboardOfFeature = {
  pages: {
    '/projects/$projectId/capacity': /Front door/,
    '/projects/$projectId/capacity/$searchId': 'Load and results',
  },
  /** Up to its first trial: the capacity of a target does not matter for pages. */
  async make(ask, at, { testId }) {
    const { id } = await ask('POST', `${at}/tests/${testId}/capacity-searches`, { most: 5, trialSeconds: 2 });
    await ask('POST', `${at}/capacity-searches/${id}/cancel`);
    return { searchId: id };
  },
};
