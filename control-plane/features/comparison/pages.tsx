/** What comparisons add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';
import { MAX_COMPARED } from './dashboard/most-compared.ts';

const CompareWith = lazy(() =>
  import('./dashboard/compare-with.tsx').then(({ CompareWith }) => ({ default: CompareWith })),
);
/** Charts are loaded when the first trend is shown. */
const RunTrend = lazy(() => import('./dashboard/run-trend.tsx'));

export const PAGES: FeaturePages = {
  chapters: { '/projects/$/compare': 'guide/misread' },
  pages: [['/projects/$projectId/compare', () => import('./dashboard/compare-page.tsx'), 'ComparePage']],
  runActions: [{ place: 25, key: 'compare', Action: CompareWith }],
  aboveRunsOfTest: [['trend', RunTrend]],
  runSelection: {
    parameter: 'compare',
    verb: 'Compare',
    least: 2,
    most: MAX_COMPARED,
    addressOf: (projectId, runIds) => ({ to: `/projects/${projectId}/compare`, search: { runs: runIds.join(',') } }),
  },
};
