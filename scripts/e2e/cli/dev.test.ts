/** `carillon dev`: from an empty folder to a verdict in one command, and with SIPp as the far end; nothing remains. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { stringify } from 'yaml';
import { callsTo, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { type CommandResult, carillon, unlessVoid } from './carillon.ts';

const net = ownLoopback();
const busy = await startSipp({ address: net.address(100), scenario: { file: 'busy.xml' } });
const folder = await mkdtemp(path.join(tmpdir(), 'carillon-cli-'));
const temporary = await mkdtemp(path.join(tmpdir(), 'carillon-tmp-'));
t.teardown(async () => {
  await busy.end();
  await rm(folder, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true });
});
// The database's user has to come through.
await chmod(temporary, 0o711);

const dev = (...args: string[]): Promise<CommandResult> =>
  carillon(null, ['dev', ...args], { cwd: folder, env: { HOME: folder, TMPDIR: temporary } });

t.test('from an empty folder to a verdict', async (t) => {
  const said = await unlessVoid(98, () => dev('--json'));
  t.same(await readdir(temporary), [], 'nothing is left of it');
  if (said.machineTooBusy) return;
  t.equal(said.code, 0, said.out.slice(-2000) + said.err);
  t.match(JSON.parse(said.out), {
    exitCode: 0,
    run: { status: 'COMPLETED', callTiming: { totalCalls: 20 }, passed: true },
  });
  t.comment(/Ready after .*/.exec(said.err)?.[0]);
  t.match(
    await readFile(path.join(folder, 'carillon.yaml'), 'utf8'),
    /slug: first-calls/,
    'there is a file to go on with',
  );
});

t.test('a test among others, whose calls are refused', async (t) => {
  const few = { endpoints: 2, durationSeconds: 1, media: SPEAKS_ONLY, workers: ['somewhere'] };
  const tests = [callsTo(busy.uri, 'refused', few), callsTo('sip:1@192.0.2.1', 'other', few)];
  await writeFile(path.join(folder, 'two.yaml'), stringify({ tests }));
  t.match(await dev('two.yaml'), { code: 1, err: /2 tests \(refused, other\)/ });
  t.match(
    await dev('two.yaml', '--test', 'refused', '-t', 'pddd<1'),
    { code: 1, err: /no metric pddd/ },
    'before anything starts',
  );
  const said = await unlessVoid(98, () => dev('two.yaml', '--test', 'refused'));
  if (!said.machineTooBusy) t.equal(said.code, 99, said.out + said.err);
  t.match(said.out, /486 Busy Here/);
  t.same(await readdir(temporary), []);
});
