/** What files of runs add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';

const RunExport = lazy(() => import('./dashboard/run-export.tsx').then(({ RunExport }) => ({ default: RunExport })));
const DownloadTrace = lazy(() =>
  import('./dashboard/download-trace.tsx').then(({ DownloadTrace }) => ({ default: DownloadTrace })),
);

export const PAGES: FeaturePages = {
  runActions: [{ place: 30, key: 'export', Action: RunExport }],
  ladderActions: [['pcapng', DownloadTrace]],
};
