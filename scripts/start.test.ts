/** However a program of ours is started, it gets its flags of Node.js. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { NODE_FLAGS as CONTROL_PLANE_FLAGS } from '../control-plane/heap.ts';
import { AGENT_FLAGS } from '../proto/base/agent-heap.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PRINTS_ITS_FLAGS = 'data:text/javascript,console.log(JSON.stringify(process.execArgv))';
/** Ends a start at once: it is no number. */
const REFUSED = { PORT: 'x' };

for (const [program, args, flags] of [
  ['agent/main.ts', ['--version'], AGENT_FLAGS],
  ['control-plane/main.ts', [], CONTROL_PLANE_FLAGS],
  ['scripts/start.ts', [], CONTROL_PLANE_FLAGS],
] as const)
  t.test(`node ${program}`, async (t) => {
    const words = ['--import', PRINTS_ITS_FLAGS, path.join(ROOT, program), ...args];
    const { stdout } = await promisify(execFile)(process.execPath, words, {
      env: { ...process.env, ...REFUSED },
    }).catch((error) => error as { stdout: string });
    const starts = stdout.split('\n').filter((line) => line.startsWith('['));
    t.same(
      starts.map((line) => JSON.parse(line)),
      [
        ['--import', PRINTS_ITS_FLAGS],
        [...flags, '--import', PRINTS_ITS_FLAGS],
      ],
    );
  });
