/** A program that starts itself again: the same process, with its arguments, its exit code, and the flags. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import t from 'tap';

const PROGRAM = new URL('../testing/restarted.ts', import.meta.url).pathname;
const FLAG = '--no-memory-reducer';
const OTHER = '--no-warnings';

type Start = { readonly pid: number; readonly execArgv: string[]; readonly args: string[]; readonly word: string };

async function started(execArgv: readonly string[], channel: readonly 'ipc'[] = []) {
  const child = spawn(process.execPath, [...execArgv, PROGRAM, FLAG, 'two words', '--help'], {
    env: { ...process.env, RESTARTED: 'kept' },
    stdio: ['ignore', 'pipe', 'inherit', ...channel],
  });
  const [said, [code]] = await Promise.all([
    text(child.stdout as NonNullable<typeof child.stdout>),
    once(child, 'exit'),
  ]);
  return {
    code,
    pid: child.pid,
    starts: said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Start),
  };
}

t.test('it has the flags then, and keeps all else', async (t) => {
  const { code, pid, starts } = await started([OTHER]);
  t.same(starts, [
    { pid, execArgv: [OTHER], args: ['two words', '--help'], word: 'kept' },
    { pid, execArgv: [FLAG, OTHER], args: ['two words', '--help'], word: 'kept' },
  ]);
  t.equal(code, 3);
});

t.test('it starts once where it has them, or a parent listens', async (t) => {
  t.equal((await started([FLAG])).starts.length, 1);
  t.equal((await started([], ['ipc'])).starts.length, 1, 'the channel would not survive');
});
