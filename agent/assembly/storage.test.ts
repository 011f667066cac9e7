/** A folder that cannot be written: the agent continues, and reports what would be lost and what is lost. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { Outbox } from '../link/outbox.ts';
import { Storage } from './storage.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-storage-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));

t.test('a fault is told once, and its end; what was to be saved is saved then', async (t) => {
  const folder = path.join(dir, 'state');
  // A file where the folder should be: even root cannot write there.
  await writeFile(folder, '');
  const outbox = new Outbox();
  outbox.append({ allocations: [{ allocationId: new Uint8Array(16), outcomes: [{ endpoint: 1 }, { endpoint: 2 }] }] });
  const said: [object, string][] = [];
  const log = { info: (o: object, m: string) => said.push([o, m]), error: (o: object, m: string) => said.push([o, m]) };
  const storage = new Storage(outbox, folder, log as never);
  const faults: string[] = [];
  storage.watch((fault) => faults.push(fault));
  await storage.check();
  await storage.save();
  await storage.check();
  t.match(faults, [/ENOTDIR/]);
  t.match(said, [[{ folder, waiting: { outcomes: 2 } }, /lost if this process ends .*CARILLON_AGENT_DIR/]]);
  await t.rejects(storage.close(), {
    message:
      /^The ends of 2 calls, 0 samples and 0 SIP messages \(1 batches\) could not be delivered .*ENOTDIR.*free space/,
  });

  await rm(folder);
  await mkdir(folder);
  await storage.check();
  t.equal(faults.at(-1), '');
  t.equal(storage.fault, '');
  t.match(JSON.parse(await readFile(path.join(folder, 'outbox.json'), 'utf8')), { id: outbox.id, next: 2 });
  await storage.check();
  t.same(await readdir(folder), ['outbox.json'], 'a look leaves nothing behind');
  await storage.close();
  t.equal(faults.length, 2);
});
