/** `npm run dashboard`: builds the dashboard if its sources have changed since the last build. This takes some seconds. */
import path from 'node:path';
import { buildOnce } from './build-once.ts';
import { MAY_IMPORT } from './rooms/rooms.ts';

const DASHBOARD = path.resolve(import.meta.dirname, '..', 'control-plane', 'dashboard');

/** The files of other rooms that can be a part of the build, with their neighbours. */
const imported = ['control-plane/dashboard', 'control-plane/contract']
  .flatMap((room) => MAY_IMPORT[room] ?? [])
  .map((place) => (place.endsWith('.ts') ? `${path.dirname(place)}/*.ts` : `${place}/**/*.ts`));

/** See `buildOnce`. */
export const buildDashboard = (ending?: AbortSignal): Promise<void> =>
  buildOnce(
    {
      what: 'dashboard',
      place: path.join(DASHBOARD, 'dist'),
      sources: [
        'control-plane/{dashboard,contract,features}/**/*.{ts,tsx,css,html,svg}',
        ...new Set(imported),
        'package-lock.json',
      ],
      program: 'control-plane/dashboard/build.ts',
    },
    ending,
  );

if (import.meta.main) await buildDashboard();
