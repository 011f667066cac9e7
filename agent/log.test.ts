import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import t from 'tap';

t.test('a log that cannot be written ends nothing, and is not kept without a bound', async (t) => {
  const log = JSON.stringify(new URL('log.ts', import.meta.url).href);
  const program = `
    const log = (await import(${log})).createLog('info');
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 20_000; i++) log.info({ i }, 'x'.repeat(10_000));
    console.log(process.memoryUsage().rss - before < 100e6 ? 'went on' : 'kept all');`;
  const args = ['--input-type=module', '--eval', program];
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
  });
  t.same([status, stdout.toString()], [0, 'went on\n']);
});
