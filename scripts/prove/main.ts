/** `npm run prove -- NAME`: a claim that takes too long for CI, shown once; it ends with 1 where the claim does not hold. */
import { packages } from './packages.ts';
import { runPage } from './run-page.ts';

const PROOFS: Readonly<Record<string, () => Promise<void>>> = {
  packages,
  'run-page': runPage,
};

const name = process.argv[2] ?? '';
const proof = PROOFS[name];
if (!proof) {
  console.error(`npm run prove -- NAME, one of: ${Object.keys(PROOFS).join(', ')}`);
  process.exit(2);
}
try {
  await proof();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
