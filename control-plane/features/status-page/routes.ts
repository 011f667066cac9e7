/** The public addresses of status pages. */
import type { PublicRoutes } from '../../http/feature.ts';
import { registerStatusPages } from './http/route.ts';

export const ROUTES: PublicRoutes = registerStatusPages;
