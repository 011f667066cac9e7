/**
 * Every address of the dashboard, and what is served beside it, with malicious texts in every name, SIP header and file name: shown as text, without an
 * accessibility fault (axe-core), wide and narrow, in light and in dark; and how large the first load of each is. An address that this table lacks fails the test.
 */

import { ownLoopback } from '../../peers/network/loopback.ts';
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { type Everything, makeEverything } from './everything.ts';
import { firstLoad } from './first-load.ts';
import { type Chapter, XSS } from './lab.ts';
import { askAs } from './lab-data.ts';
import { addressOf, OTHER_PAGES, PAGES, routes } from './pages.ts';

const WIDTHS = [375, 1440];
const HEIGHT = 900;

export const everyPage: Chapter = async (t, lab) => {
  t.ok(routes().length > 20, `${routes().length} addresses`);
  t.same(
    routes().filter((route) => !(route in PAGES)),
    [],
    'each is in the table',
  );

  const { page } = lab.owner;
  const sipp = await startSipp({ address: ownLoopback().address(21), scenario: { file: 'hostile-texts.xml' } });
  t.teardown(() => sipp.stop('SIGKILL'));
  const projectId = lab.projectUrl.split('/').at(-1) ?? '';
  const ids: Everything = await makeEverything(askAs(page), projectId, sipp.uri, (what) => `${what} ${XSS}`);
  const cookies = await lab.owner.context.cookies();
  const load = async (route: string, text: string | RegExp) => {
    const guest = await lab.visit();
    await guest.context.addCookies(cookies);
    await firstLoad(t, guest.page, addressOf(route, ids), text);
    await guest.context.close();
  };
  const look = async (route: string, text: string | RegExp) => {
    await page.goto(addressOf(route, ids));
    await page.getByRole('main').getByText(text).first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      t.same(await barriersInBoth(page), [], `${route} at ${width}`);
    }
  };
  for (const [route, text] of Object.entries(PAGES)) {
    if (text === null) continue;
    await load(route, text);
    await look(route, text);
  }
  for (const [address, text] of Object.entries(OTHER_PAGES)) await look(address, text);
  await page.goto(addressOf('/projects/$projectId/runs/$runId', ids));
  await page.getByText('<img src=x onerror=__xss=1>').first().waitFor();
  t.pass('the reason of a response is text');
  await page.goto(addressOf('/projects/$projectId/runs/$runId/endpoints/$endpointId', ids));
  await page.getByRole('button', { name: /486/ }).first().click();
  await page.getByText('"><script>__xss=2</script>').first().waitFor();
  t.pass('so is a header');
  t.same(lab.faults(), [], 'and nothing of it ran');
};
