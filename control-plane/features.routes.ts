/** What the features of features.ts have in routes.ts. Generated: npm run generate. */
import { ROUTES as ROUTES_OF_SHARE_LINKS } from './features/share-links/routes.ts';
import type { PublicRoutes } from './http/feature.ts';

/** Routes outside of the API. */
export const FEATURE_ROUTES: readonly PublicRoutes[] = [ROUTES_OF_SHARE_LINKS];
