/** `npm run dashboard`: builds the dashboard if its sources have changed since. Takes some seconds. */
import path from 'node:path';
import { buildOnce } from './build-once.ts';

const DASHBOARD = path.resolve(import.meta.dirname, '..', 'control-plane', 'dashboard');

/** See `buildOnce`. */
export const buildDashboard = (ending?: AbortSignal): Promise<void> =>
  buildOnce(
    {
      what: 'dashboard',
      place: path.join(DASHBOARD, 'dist'),
      sources: [
        'control-plane/{dashboard,contract}/**/*.{ts,tsx,css,html,svg}',
        'proto/{findings,q850}.ts',
        'proto/figures/*.ts',
        'media/impairment/impairment.ts',
        'package-lock.json',
      ],
      program: 'control-plane/dashboard/build.ts',
    },
    ending,
  );

if (import.meta.main) await buildDashboard();
