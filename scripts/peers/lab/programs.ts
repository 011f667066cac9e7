/** Where our programs begin: in the checkout, or in the bundles that scripts/test made for all its files (test-run/programs.ts). */
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const BUNDLES = process.env['CARILLON_TEST_PROGRAMS'];

export type Program = 'control-plane' | 'control-plane/cli' | 'agent';

export const mainOf = (program: Program): string =>
  BUNDLES ? path.join(BUNDLES, program, 'main.js') : path.join(ROOT, program, 'main.ts');
