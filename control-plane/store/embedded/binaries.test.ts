/** Which of the PostgreSQL versions of Debian is used for a cluster. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { installedBinaries } from './binaries.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-binaries-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));

/** `place` has these major versions, with or without the server's programs; `home` has a cluster made by `madeBy`. */
async function chosen(majors: Readonly<Record<string, boolean>>, madeBy: string | null): Promise<string> {
  const [place, home] = [await mkdtemp(path.join(dir, 'place-')), await mkdtemp(path.join(dir, 'home-'))];
  for (const [major, hasServer] of Object.entries(majors)) {
    const bin = path.join(place, major, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(path.join(bin, hasServer ? 'initdb' : 'psql'), '');
  }
  await mkdir(path.join(home, 'cluster'));
  if (madeBy !== null) await writeFile(path.join(home, 'cluster', 'PG_VERSION'), `${madeBy}\n`);
  const { folder, major } = await installedBinaries(home, place);
  t.equal(folder, path.join(place, major));
  return major;
}

t.test('the version that made the cluster, or else the newest', async (t) => {
  t.equal(await chosen({ 15: true, 9: true, 17: true }, null), '17');
  t.equal(await chosen({ 15: true, 17: true }, '15'), '15', 'an upgrade of Debian leaves the old one there');
  t.equal(await chosen({ 17: true, 18: false }, null), '17', 'a client is no server');
  t.equal(await chosen({ 17: true }, '15'), '17', 'the start says why it does not fit');
});

t.test('no version is there, or only those that are too old', async (t) => {
  for (const majors of [{}, { 13: true, 14: true }])
    await t.rejects(chosen(majors, null), { message: /PostgreSQL 15 or later.*apt install postgresql.*DATABASE_URL/ });
});
