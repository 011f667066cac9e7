/** `npm run sealing-keys` as an operator runs it, while the control plane has the keys open: list, rotate, drop, forget. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const lab = await openLab(t, {
  agents: 0,
  provision: () => ({
    tests: [],
    registrars: [
      {
        slug: 'pbx',
        name: 'PBX',
        uri: 'sip:127.0.0.1:5070',
        protocol: 'UDP',
        register: true,
        outboundProxyUri: null,
        sipAccounts: [{ username: '1001', password: 'the password of 1001' }],
      },
    ],
  }),
});
const file = `${lab.dataDir}.keys`;

async function command(...args: string[]): Promise<{ status: number | null; said: string }> {
  const child = spawn(process.execPath, [path.join(ROOT, 'control-plane', 'commands', 'sealing-keys.ts'), ...args], {
    env: { ...process.env, CARILLON_DATA_DIR: lab.dataDir, DATABASE_URL: lab.database.url ?? '' },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  const [status] = await once(child, 'close');
  return { status, said };
}
const keysOf = (said: string): string[] => said.split('\n').filter((line) => line !== '');

t.jobs = 1;

t.test('list, rotate and drop, while the control plane runs', async (t) => {
  const first = await command('list');
  t.equal(first.status, 0, first.said);
  t.match(first.said, /^[0-9a-f]{16} {2}seals {2}[1-9]\d* secrets\n$/);
  const [old = ''] = first.said.split(' ');
  const rotated = await command('rotate');
  t.match(rotated, { status: 0, said: /seals from now on; [1-9]\d* rows were sealed again/ }, rotated.said);
  const both = keysOf((await command('list')).said);
  t.equal(both.length, 2);
  t.match(both[0], /seals {2}[1-9]/);
  t.match(both[1], `${old}  opens  0 secrets`);
  const after = await fetch(`${lab.controlPlane.url}/readyz`);
  t.equal(after.status, 200);
  const dropped = await command('drop');
  t.match(dropped, { status: 0, said: `Dropped ${old}.` }, dropped.said);
  t.equal(keysOf((await command('list')).said).length, 1);
  t.match(await command('drop'), { status: 0, said: 'Every key is needed.' });
  t.notMatch(await readFile(file, 'utf8'), /the password/);
  t.notMatch(JSON.stringify(await lab.query('select * from sip_accounts')), /the password/);
});

t.test('what is wrong is said, with 1', async (t) => {
  t.match(await command(), { status: 1, said: /npm run sealing-keys -- COMMAND/ });
  t.match(await command('turn'), { status: 1, said: /npm run sealing-keys -- COMMAND/ });
  t.match(await command('rotate', '0123456789abcdef'), { status: 1, said: /has no key 0123456789abcdef/ });
  t.match(await command('forget'), { status: 1, said: /needs the id of the key that is lost/ });
  const [current = ''] = (await command('list')).said.split(' ');
  t.match(await command('forget', current), { status: 1, said: /it is not lost/ });
  const kept = await readFile(file);
  await writeFile(file, 'no key\n');
  t.match(await command('list'), { status: 1, said: /is not valid. A key is 32 bytes in base64/ });
  await writeFile(file, kept);
  t.equal((await command('list')).status, 0);
});
