/** `npm run prove -- NAME`: proves a claim that takes too long for CI; exit code 1 if the claim does not hold. */

const PROOFS: Readonly<Record<string, () => Promise<void>>> = {
  calibrate: () => import('./calibrate.ts').then(({ calibrate }) => calibrate()),
  capacity: () => import('./capacity.ts').then(({ capacity }) => capacity()),
  containers: () => import('./containers.ts').then(({ containers }) => containers()),
  garbage: () => import('./garbage.ts').then(({ garbage }) => garbage(Number(process.argv[3] ?? 1_000_000))),
  'kill-switch': () => import('./kill-switch.ts').then(({ killSwitch }) => killSwitch()),
  packages: () => import('./packages.ts').then(({ packages }) => packages()),
  release: () => import('./release.ts').then(({ release }) => release()),
  replicas: () => import('./replicas.ts').then(({ replicas }) => replicas()),
  'run-page': () => import('./run-page.ts').then(({ runPage }) => runPage()),
  walk: () => import('./walk.ts').then(({ walk }) => walk()),
};

const name = process.argv[2] ?? '';
const proof = PROOFS[name];
if (!proof) {
  console.error(`npm run prove -- NAME, one of: ${Object.keys(PROOFS).join(', ')}`);
  process.exit(2);
}
proof().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
