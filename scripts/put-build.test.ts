/** Builds by several processes at the same time, as of `./scripts/demo` in one terminal and `npm start` in another. */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { startPeer } from './peers/process.ts';
import { besideOf, putBuild } from './put-build.ts';
import { folderPages } from './site/files.ts';
import { PAGES } from './site/nav.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carillon-build-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));

function built(beside: string, text: string): string {
  mkdirSync(beside);
  writeFileSync(path.join(beside, 'page'), text);
  return beside;
}

t.test('a build takes the place of the one before, whole', async (t) => {
  const place = path.join(folder, 'one');
  const page = () => readFileSync(path.join(place, 'page'), 'utf8');
  putBuild(built(besideOf(place), 'first'), place);
  t.equal(page(), 'first');
  writeFileSync(path.join(place, 'old'), '');
  putBuild(built(besideOf(place), 'second'), place);
  t.equal(page(), 'second');
  t.same(readdirSync(place), ['page'], 'nothing of the first');
  t.same(readdirSync(folder), ['one'], 'and nothing beside');
});

t.test('where there is no build, the file system says why', async (t) => {
  t.throws(() => putBuild(path.join(folder, 'none'), path.join(folder, 'two')), { code: 'ENOENT' });
});

t.test('several processes build the same site at the same time', async (t) => {
  const place = path.join(folder, 'site');
  const script = `(await import(${JSON.stringify(path.join(import.meta.dirname, 'site', 'build.ts'))})).buildSite(undefined, ${JSON.stringify(place)})`;
  const builders = Array.from({ length: 4 }, () =>
    startPeer(process.execPath, ['--input-type=module', '--eval', script]),
  );
  for (const builder of builders) t.equal(await builder.exited, 0, builder.output());
  t.equal(globSync('**/*.html', { cwd: place }).length, PAGES.length + folderPages().length + 1, 'every page');
  t.ok(existsSync(path.join(place, 'search.json')));
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('site')),
    ['site'],
  );
});
