/** The documentation is served with its own policy, at addresses without `.html`; other addresses are 404. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { errorsPage } from '../../scripts/site/reference/errors.ts';
import { headingsOf, slugOf } from '../../scripts/site/slug.ts';
import { ERRORS } from '../contract/errors.ts';
import { openWorld } from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const world = await openWorld(t);
const folder = t.testdir({});
await mkdir(path.join(folder, 'guide'));
await writeFile(path.join(folder, 'index.html'), 'first page');
await writeFile(path.join(folder, 'guide', 'tests.html'), 'tests and load');
await mkdir(path.join(folder, 'files', 'install'), { recursive: true });
await writeFile(path.join(folder, 'files', 'install', 'index.html'), 'what is here');
for (const name of ['x.service', 'x.yaml', 'x.json', 'x.sh', 'x.tpl'])
  await writeFile(path.join(folder, 'files', 'install', name), `of ${name}`);
await writeFile(path.join(folder, 'guide', 'run.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
const { app } = await createHttpServer(world.ports, { docsDir: folder });
await app.ready();
t.teardown(() => app.close());
const get = (url: string) => app.inject({ url, headers: { accept: 'text/html' } });

t.test('pages', async (t) => {
  const first = await get('/docs/');
  t.equal(first.body, 'first page');
  t.match(first.headers['content-security-policy'], /script-src 'self'; style-src 'self'/);
  t.equal((await get('/docs/guide/tests')).body, 'tests and load');
  t.match((await get('/docs')).headers.location, /\/docs\/$/);
});

t.test('a picture has its own style', async (t) => {
  const picture = await get('/docs/guide/run.svg');
  t.match(picture.headers['content-type'], 'image/svg+xml');
  t.equal(picture.headers['content-security-policy'], undefined);
});

t.test('files to take come as they are, and their folder has a page', async (t) => {
  t.match(await get('/docs/files/install/'), { statusCode: 200, body: 'what is here' });
  for (const name of ['x.service', 'x.yaml', 'x.json', 'x.sh', 'x.tpl']) {
    const file = await get(`/docs/files/install/${name}`);
    t.match(file, { statusCode: 200, body: `of ${name}` });
    t.notMatch(file.headers['content-type'] ?? '', 'text/html', name);
    t.equal(file.headers['x-content-type-options'], 'nosniff', name);
  }
});

t.test('what is not there', async (t) => {
  t.equal((await get('/docs/nowhere')).statusCode, 404);
  t.equal((await get('/docs/../package.json')).statusCode, 404);
  t.equal((await get('/docs/%2e%2e/%2e%2e/package.json')).statusCode, 404);
});

t.test('an error leads to the section of its code', async (t) => {
  const { error } = (await app.inject({ url: '/api/v1/projects' })).json();
  t.equal(error.docs, '/docs/reference/errors#unauthorized');
  const page = errorsPage();
  for (const code of Object.keys(ERRORS)) {
    t.ok(
      headingsOf(page).some((heading) => heading === code && slugOf(heading) === code.toLowerCase()),
      code,
    );
  }
});

t.test('without a built documentation there is none', async (t) => {
  const bare = (await createHttpServer(world.ports, { docsDir: path.join(folder, 'none') })).app;
  await bare.ready();
  t.equal((await bare.inject({ url: '/docs/' })).statusCode, 404);
  t.same(Object.keys((await bare.inject({ url: '/api/v1/projects' })).json().error), ['code', 'message']);
  await bare.close();
});
