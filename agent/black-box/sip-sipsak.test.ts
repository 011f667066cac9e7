/** sipsak (Debian), the operators' SIP ping: OPTIONS, a flood of them, and requests with random damage. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { until } from '../../scripts/peers/process.ts';
import { nowMs } from '../clock.ts';
import { agentOf, side } from '../testing/sip/sides.ts';

const FLOOD = 500;
const installed = spawnSync('sh', ['-c', 'command -v sipsak']).status === 0;

async function sipsak(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn('sipsak', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

t.test('sipsak', { skip: installed ? false : 'sipsak is not installed (Debian: sipsak)' }, async (t) => {
  const here = await side();
  const { engine, errors } = here;
  let received = 0;
  let answered = 0;
  agentOf(here, 'alice', {
    traffic: {
      onMessage: ({ direction, status }) => {
        if (direction === 'RECEIVED') received++;
        else if (status === 200) answered++;
      },
    },
  });
  const ticker = setInterval(() => engine.turn(nowMs()), 1);
  t.teardown(() => {
    clearInterval(ticker);
    engine.close();
  });
  const uri = (user: string): string => `sip:${user}@127.0.0.1:${engine.local.port}`;

  const options = await sipsak('-v', '-s', uri('alice'));
  t.equal(options.code, 0, options.output);
  t.match(options.output, /^SIP\/2\.0 200 OK/m);
  t.equal((await sipsak('-v', '-s', uri('nobody'))).code, 1, 'another user: 404');

  received = 0;
  answered = 0;
  t.equal((await sipsak('-F', '-e', String(FLOOD), '-s', uri('alice'))).code, 0);
  const counted = (): string => `${received} of a flood came, the kernel dropped ${engine.receiveDrops}`;
  t.ok(await until(counted, () => received + engine.receiveDrops >= FLOOD, { everyMs: 5 }), counted());
  t.equal(answered, received);

  await sipsak('-R', '-t', '60', '-s', uri('alice'));
  t.equal((await sipsak('-s', uri('alice'))).code, 0, 'up after requests with random damage');
  t.same(errors, []);
});
