/** The programs that `dev` starts: beside this one in a package, in their rooms in a checkout. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, Stop } from '../exit-codes.ts';

const HERE = import.meta.dirname;
const PACKAGED = {
  controlPlane: path.join(HERE, 'control-plane', 'main.js'),
  agent: path.join(HERE, 'agent', 'main.js'),
};
const ROOT = path.resolve(HERE, '..', '..', '..');
const CHECKOUT = {
  controlPlane: path.join(ROOT, 'control-plane', 'main.ts'),
  agent: path.join(ROOT, 'agent', 'main.ts'),
};

/** @throws Stop: this is the client by itself */
export function programs(): typeof PACKAGED {
  const found = [PACKAGED, CHECKOUT].find((one) => Object.values(one).every((file) => existsSync(file)));
  if (found === undefined)
    throw new Stop(EXIT.USAGE, 'This executable is the client without a control plane: `npx carillon dev` has both.');
  return found;
}
