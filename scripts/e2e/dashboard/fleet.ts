/** A thousand workers: grouped, found and paged, by what is in the address; nothing swipes where a page is as wide as a laptop's. */
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import type { Chapter } from './lab.ts';

export const fleet: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  await lab.database.query(SEED);
  t.teardown(() => lab.database.query(`delete from workers where name like 'edge-%'`));
  const groups = (by: string) => page.getByRole('region', { name: by, exact: true });
  const group = (by: string, value: RegExp) => groups(by).getByRole('button', { name: value });
  const count = page.getByText(/^[\d,]+ workers?, /);
  const rows = page.getByRole('table').getByRole('row', { name: /edge-/ });

  await page.goto('/workers');
  // Beside them there is berlin-1.
  await group('State', /^Offline 50$/).waitFor();
  await group('Region', /^eu 317 of 334$/).waitFor();
  await group('Version', /^0\.0\.9, older 50 of 100$/).waitFor();
  await group('Limited by', /^Media ports 250$/).waitFor();
  await count.filter({ hasText: '1,001 workers, 951 online' }).waitFor();
  t.same(await barriersInBoth(page), [], 'a thousand');
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const wide = await page.evaluate(
      `[document.documentElement, ...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).length`,
    );
    t.equal(wide, 0, `nothing swipes at ${width} px`);
  }
  await page.setViewportSize({ width: 1360, height: 900 });

  await group('Region', /^us /).click();
  await count.filter({ hasText: /^333 workers/ }).waitFor();
  await group('Limited by', /^Media ports/).click();
  await count.filter({ hasText: /^83 workers/ }).waitFor();
  t.match(page.url(), /region=us/);
  t.same(await barriersInBoth(page), [], 'a group in a group');
  await page.getByRole('button', { name: 'page 2' }).click();
  await page.waitForURL(/page=/);
  await page.reload();
  await count.filter({ hasText: /^83 workers/ }).waitFor();
  for (const row of await rows.all()) t.match(await row.textContent(), /us.*media ports/);
  await group('Region', /^us /).click();
  await count.filter({ hasText: /^250 workers/ }).waitFor();
  t.notMatch(page.url(), /region|page/, 'another filter begins at the first page');

  const search = page.getByRole('textbox', { name: 'Name or host' });
  await search.fill('RACK-5.');
  await search.press('Enter');
  await count.filter({ hasText: /^25 workers/ }).waitFor();
  await search.fill('nobody');
  await search.press('Enter');
  await page.getByText('No matching worker').waitFor();
  t.same(await barriersInBoth(page), [], 'none');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await count.filter({ hasText: /^1,001 workers/ }).waitFor();
};

/** Every twentieth is away, every tenth is older; a quarter is limited by its ports. */
const SEED = `insert into workers (id, organization_id, name, region, capacity, status, public_key, seen_at, hello)
  select gen_random_uuid(), organization_id, 'edge-' || n, (array['ap', 'eu', 'us'])[1 + n % 3], 1000,
    case when n % 20 = 0 then 'OFFLINE' else 'ONLINE' end, sha256(n::text::bytea), now() - n * interval '1 second',
    w.hello || jsonb_build_object('agentVersion', case when n % 10 = 0 then '0.0.9' else w.hello ->> 'agentVersion' end,
      'hostname', 'rack-' || n % 40 || '.example', 'capacity', case when n % 4 = 1 then 800 else 1000 end,
      'limits', jsonb_build_object('own', 1000, 'openFileStreams', 9000, 'portStreams', case when n % 4 = 1 then 800 else 8192 end))
  from workers w, generate_series(1, 1000) n where w.name = 'berlin-1'`;
