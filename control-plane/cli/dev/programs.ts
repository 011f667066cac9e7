/** The programs that `dev` starts: those of the checkout that this file is in. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, Stop } from '../exit-codes.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const PROGRAMS = {
  controlPlane: path.join(ROOT, 'control-plane', 'main.ts'),
  agent: path.join(ROOT, 'agent', 'main.ts'),
};

/** @throws Stop: this is the client by itself */
export function programs(): typeof PROGRAMS {
  if (!Object.values(PROGRAMS).every((file) => existsSync(file)))
    throw new Stop(
      EXIT.USAGE,
      'This is the client by itself: `npm run carillon -- dev` in a checkout has a control plane and an agent, too.',
    );
  return PROGRAMS;
}
