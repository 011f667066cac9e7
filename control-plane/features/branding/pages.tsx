/** What branding adds to the dashboard. */
import { lazy } from 'react';
import type { FeaturePages } from '../../dashboard/feature.ts';

const BrandingCard = lazy(() =>
  import('./dashboard/branding.tsx').then(({ BrandingCard }) => ({ default: BrandingCard })),
);

export const PAGES: FeaturePages = { organizationCards: [['branding', BrandingCard]] };
