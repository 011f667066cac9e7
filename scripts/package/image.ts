/** The container image, by whichever engine answers here. */
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Null: none is here, or its daemon does not answer. */
export const containerEngine = (): string | null =>
  ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0) ?? null;

/** @throws Error if the engine cannot build it; what it says goes to the terminal */
export function buildImage(engine: string, version: string): string {
  const name = `carillon/agent:${version}`;
  execFileSync(engine, ['build', '-f', 'agent/Dockerfile', '-t', name, '.'], { cwd: ROOT, stdio: 'inherit' });
  return name;
}
