/** What canaries add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';

const RunCanary = lazy(() => import('./dashboard/run-canary.tsx').then(({ RunCanary }) => ({ default: RunCanary })));
const CanarySelect = lazy(() =>
  import('./dashboard/canary-select.tsx').then(({ CanarySelect }) => ({ default: CanarySelect })),
);

export const PAGES: FeaturePages = {
  startFields: [['canary', CanarySelect]],
  runParts: [['canary', RunCanary]],
  // The last executions may end after the load.
  isRunOpen: ({ canary }) => canary?.executions.some(({ result }) => result === null) ?? false,
  executionNote: ({ canaryOf }) =>
    canaryOf === null
      ? null
      : { words: 'Canary', explain: 'It watched a load run: it is not counted and raises no alarm' },
};
