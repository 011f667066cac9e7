/** What share links add to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';

const RunShare = lazy(() => import('./dashboard/run-share.tsx').then(({ ShareOfRun }) => ({ default: ShareOfRun })));

export const PAGES: FeaturePages = { runActions: [{ place: 40, key: 'share', Action: RunShare }] };
