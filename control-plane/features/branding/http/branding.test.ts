/** The brand of an organization: who reads and sets it, what is refused, what readers outside of it see, and when it is gone. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { DARK, LIGHT } from '../../../http/public-page.ts';
import { brandOf } from '../../../operations/request/brand.ts';
import { retain } from '../../../operations/retain.ts';
import { runReport } from '../../../operations/run-view/run-report.ts';
import { closeOrganization } from '../../../store/people/gone-organizations.ts';
import { FOREIGN, IDENTITIES, OWNER, openApi } from '../../../testing/api.ts';
import { ownerContext, startRun } from '../../../testing/world.ts';
import { contrast, DARK_PAGE, LIGHT_PAGE } from '../contract/colours.ts';
import { MAX_LOGO_BYTES } from '../contract/logo.ts';
import { chunk, madePng } from '../testing/made-png.ts';

const EVIL = `Acme <script>alert("x")</script> & 'co'`;
const { world, ask } = await openApi(t);
const { db } = world.database;
const { actor } = await ownerContext(world);
const png = (widthPx: number, heightPx: number, text = ''): string =>
  madePng({ widthPx, heightPx, before: text === '' ? [] : [chunk('tEXt', Buffer.from(text))] }).toString('base64');

t.jobs = 1;

t.test('nothing is shown until it is set', async (t) => {
  t.match(await ask('GET', '/branding'), { status: 200, etag: '"0"', data: { name: null, colour: null, logo: null } });
  t.equal(await brandOf(world.ports, actor.organizationId), null);
  t.match(await ask('PATCH', '/branding', { colour: '#FF0000' }), { status: 200, data: { colour: '#ff0000' } });
  t.equal(await brandOf(world.ports, actor.organizationId), null, 'a colour without a name is no brand');
});

t.test('administrators of the whole organization set it, its people read it, and others have their own', async (t) => {
  const names: [ours: string | null, theirs: string | null] = [null, null];
  for (const { name, key, own, role } of IDENTITIES) {
    const isTheirs = key === FOREIGN.key;
    const maySet = isTheirs || (['ADMIN', 'OWNER'].includes(own) && role !== null);
    const set = await ask('PATCH', '/branding', { name: `Of ${name}` }, { key });
    t.equal(set.status, maySet ? 200 : 403, name);
    if (maySet) names[isTheirs ? 1 : 0] = `Of ${name}`;
    t.match(await ask('GET', '/branding', undefined, { key }), {
      status: 200,
      data: { name: names[isTheirs ? 1 : 0] },
    });
    t.equal((await ask('GET', '/branding')).data.name, names[0], name);
    t.equal((await ask('GET', '/branding', undefined, FOREIGN)).data.name, names[1], name);
  }
  t.equal((await ask('GET', '/branding')).data.name, 'Of OWNER');
  const reading = { scopes: ['READ'] };
  await db.updateTable('api_keys').set(reading).where('name', '=', 'ADMIN').execute();
  const { key } = IDENTITIES.find(({ name }) => name === 'ADMIN') ?? OWNER;
  t.equal((await ask('GET', '/branding', undefined, { key })).status, 200);
  t.equal((await ask('PATCH', '/branding', { name: 'x' }, { key })).status, 403, 'a key that only reads');
});

t.test('what is out of bounds is refused at its field, and changes nothing', async (t) => {
  const before = (await ask('GET', '/branding')).text.replace(/"requestId":"[^"]+"/, '');
  const wrong: readonly (readonly [body: object, path: string, message?: RegExp])[] = [
    [{ name: '' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ colour: 'red' }, 'colour'],
    [{ colour: '#fff' }, 'colour'],
    [{ colour: '#12345g' }, 'colour'],
    [{ colour: '#123456;background:url(//x)' }, 'colour'],
    [{ logo: '' }, 'logo'],
    [{ logo: '%%%' }, 'logo', /base64/],
    [{ logo: Buffer.from('<svg onload="alert(1)"/>').toString('base64') }, 'logo', /is not a PNG/],
    [{ logo: png(1025, 4) }, 'logo', /at most 1024/],
    [{ logo: Buffer.alloc(MAX_LOGO_BYTES + 1).toString('base64') }, 'logo', /64 KiB/],
    [{ logo: Buffer.alloc(MAX_LOGO_BYTES + 30).toString('base64') }, 'logo', /64 KiB/],
    [{ else: 1 }, 'else'],
  ];
  for (const [body, path, message = /./] of wrong) {
    const answer = await ask('PATCH', '/branding', body);
    t.match(answer, { status: 422, paths: [path], message }, JSON.stringify(body).slice(0, 60));
  }
  t.match(await ask('PATCH', '/branding', { name: 'x' }, { headers: { 'if-match': '"99"' } }), { status: 412 });
  t.equal((await ask('GET', '/branding')).text.replace(/"requestId":"[^"]+"/, ''), before);
});

t.test('the logo is published without what the file had besides', async (t) => {
  const set = await ask('PATCH', '/branding', { logo: png(30, 20, 'Author: <script>') });
  t.match(set, { status: 200, data: { logo: { content: png(30, 20), widthPx: 30, heightPx: 20 } } });
  t.match(await brandOf(world.ports, actor.organizationId), { name: 'Of OWNER', isNameShown: true });
  await ask('PATCH', '/branding', { logo: png(40, 20) });
  t.match(await brandOf(world.ports, actor.organizationId), { isNameShown: false }, 'it is twice as wide as high');
  const audited = (await ask('GET', '/audit-entries?kind=branding')).text;
  t.match(audited, /updateBranding/);
  t.notOk(audited.includes(png(40, 20)), 'the audit log has no images');
});

t.test('a report begins with it, and shows nothing else', async (t) => {
  await ask('PATCH', '/branding', { name: EVIL, colour: '#ffff00', logo: png(30, 20) });
  const { runId, projectId, context } = await startRun(world, 'acme');
  const report = await runReport(context, { projectId, testRunId: runId });
  const { linkOnLight, linkOnDark } = (await brandOf(world.ports, actor.organizationId))?.colours ?? {};
  t.match(
    report,
    /<header class="brand"><div><img src="data:image\/png;base64,[\w+/=]+" alt="" width="30" height="20">/,
  );
  t.ok(report.includes('<b>Acme &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;co&#39;</b>'));
  t.match(report, /background: #ffff00; color: #000000/);
  t.ok(report.includes(`a { color: ${linkOnLight}; }`) && report.includes(`a { color: ${linkOnDark}; }`));
  const [style = ''] = /(?<=<style>)[^<]+/.exec(report) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  t.ok(report.includes(`style-src &#39;sha256-${hash}&#39;`), 'its policy allows its style');
  t.notMatch(report, /<script|(src|href)="(?!data:image\/png;base64,|#)/);
});

t.test('no page has a ground on which its links would be hard to read', async (t) => {
  t.equal(LIGHT.page, LIGHT_PAGE);
  t.ok(contrast(DARK.page, '#ffffff') >= contrast(DARK_PAGE, '#ffffff'), 'public pages in dark');
  const { runId, projectId, context } = await startRun(world, 'acme');
  const report = await runReport(context, { projectId, testRunId: runId });
  t.same(
    [...report.matchAll(/--page: (#\w+)/g)].map(([, page]) => page),
    ['#fff', DARK_PAGE],
  );
});

t.test('it ends with its organization', async (t) => {
  const { organizationId } = (await ownerContext(world, 'other')).actor;
  t.match(await brandOf(world.ports, organizationId), { name: `Of ${FOREIGN.name}` });
  await closeOrganization(db, organizationId, world.ports.now());
  t.equal(await brandOf(world.ports, organizationId), null, 'at once, also where its rows are still deleted');
  const rows = async () => (await db.selectFrom('brands').select('organization_id').execute()).length;
  t.equal(await rows(), 2);
  for (let n = 0; n < 5; n++) await retain(world.ports);
  t.equal(await rows(), 1);
  t.match(await brandOf(world.ports, actor.organizationId), { name: EVIL }, 'others keep theirs');
});
