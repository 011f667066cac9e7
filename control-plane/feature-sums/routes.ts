/** What the features of features.ts have in routes.ts. Generated: npm run generate. */
import { ROUTES as ROUTES_OF_SHARE_LINKS } from '../features/share-links/routes.ts';
import { ROUTES as ROUTES_OF_STATUS_PAGE } from '../features/status-page/routes.ts';
import type { PublicRoutes } from '../http/feature.ts';

/** Routes outside of the API. */
export const FEATURE_ROUTES: readonly PublicRoutes[] = [ROUTES_OF_SHARE_LINKS, ROUTES_OF_STATUS_PAGE];
