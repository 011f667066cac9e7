/**
 * Keeps V8's compiled code of the agent in its folder, so that the next start need neither strip types nor compile the
 * called functions again.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

const FOLDER = 'compiled';

/**
 * Must be called before anything else is imported. Threads read it from the environment, so it is set there. No effect
 * if the operator has set it (NODE_COMPILE_CACHE), or if there is no state folder yet.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
  const state = path.resolve(environment['CARILLON_AGENT_DIR'] || './data/agent');
  if (environment['NODE_COMPILE_CACHE'] !== undefined || !existsSync(state)) return;
  const folder = path.join(state, FOLDER);
  enableCompileCache(folder);
  environment['NODE_COMPILE_CACHE'] = folder;
}
