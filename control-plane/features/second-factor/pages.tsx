/** What the second factor adds to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';

const SecondFactor = lazy(() => import('./dashboard/second-factor.tsx'));

export const PAGES: FeaturePages = { accountCards: [{ place: 30, Card: SecondFactor, ifRequired: '' }] };
