/** Builds the container image with the available engine. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Null: no engine is installed, or its daemon does not answer. */
export const containerEngine = (): string | null =>
  ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0) ?? null;

/** The image's name; null: the engine cannot build it. The engine's output is shown on the terminal. */
export function buildImage(engine: string, version: string): string | null {
  const name = `carillon/agent:${version}`;
  const args = ['build', '-f', 'agent/Dockerfile', '-t', name, '.'];
  return spawnSync(engine, args, { cwd: ROOT, stdio: 'inherit' }).status === 0 ? name : null;
}
