/** What files of runs add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';
import { DownloadTrace } from './dashboard/download-trace.tsx';

const RunExport = lazy(() => import('./dashboard/run-export.tsx').then(({ RunExport }) => ({ default: RunExport })));

export const PAGES: FeaturePages = {
  runActions: [{ place: 30, key: 'export', Action: RunExport }],
  ladderActions: [['pcapng', DownloadTrace]],
};
