/** Its pages precede the log-in, so that no chapter opens them among all others. */
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';

export const DASHBOARD: DashboardOfFeature = { pages: { '/password-link': null, '/password': null } };
