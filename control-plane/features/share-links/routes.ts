/** The public address of shared runs. */
import type { PublicRoutes } from '../../http/feature.ts';
import { registerSharedRuns } from './http/shared-run.ts';

export const ROUTES: PublicRoutes = registerSharedRuns;
