/** The programs that `dev` starts. They are those of this file's checkout. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, Stop } from '../exit-codes.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const PROGRAMS = {
  controlPlane: path.join(ROOT, 'control-plane', 'main.ts'),
  agent: path.join(ROOT, 'agent', 'main.ts'),
};

/** @throws Stop if the client was installed without the programs */
export function programs(): typeof PROGRAMS {
  if (!Object.values(PROGRAMS).every((file) => existsSync(file)))
    throw new Stop(
      EXIT.USAGE,
      'This is the client by itself: `npm run carillon -- dev` in a checkout has a control plane and an agent, too.',
    );
  return PROGRAMS;
}
