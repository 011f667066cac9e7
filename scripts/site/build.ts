/**
 * `npm run docs`: builds the pages of docs/ as a site in docs/dist/, which the control plane serves at /docs. It needs no
 * network.
 */
import path from 'node:path';
import { buildOnce } from '../build-once.ts';
import { FILE_SOURCES } from './files.ts';

export const SITE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'dist');

/** Builds the site if a source has changed since the last build. See `buildOnce`. */
export const buildSite = (ending?: AbortSignal, place = SITE): Promise<void> =>
  buildOnce(
    {
      what: 'documentation',
      place,
      sources: ['docs/**/*.{md,svg}', ...FILE_SOURCES, 'scripts/site/{,search/}*.{ts,css,js}', 'package-lock.json'],
      program: 'scripts/site/write.ts',
    },
    ending,
  );

if (import.meta.main) await buildSite();
