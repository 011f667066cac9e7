/** What V8 has compiled of the agent is kept in its folder, so that the next start need not do it again: types stripped, functions called. */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

const FOLDER = 'compiled';

/**
 * To be called before anything else is imported. Threads take it from the environment, so it is told there. Nothing where the operator has
 * said where (NODE_COMPILE_CACHE), and before there is a state folder: no command makes one in passing.
 */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
  const state = path.resolve(environment['CARILLON_AGENT_DIR'] || './data/agent');
  if (environment['NODE_COMPILE_CACHE'] !== undefined || !existsSync(state)) return;
  const folder = path.join(state, FOLDER);
  enableCompileCache(folder);
  environment['NODE_COMPILE_CACHE'] = folder;
}
