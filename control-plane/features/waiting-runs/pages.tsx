/** What waits add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';

const WaitFields = lazy(() =>
  import('./dashboard/wait-fields.tsx').then(({ WaitFields }) => ({ default: WaitFields })),
);
const RunWaits = lazy(() => import('./dashboard/run-waits.tsx').then(({ RunWaits }) => ({ default: RunWaits })));

export const PAGES: FeaturePages = { startFields: [['wait', WaitFields]], runParts: [['wait', RunWaits]] };
