/** A run's page: live, stopped, done; from there to one endpoint and its messages. */
import type { Chapter } from './lab.ts';

export const run: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  await t.test('from what was measured to one message', async (t) => {
    await page.goto(lab.runUrl);
    await page.getByText('No endpoint failed.').waitFor();
    await page
      .getByRole('img', { name: /^MOS over time/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Caller' }).first().click();
    await page.getByRole('button', { name: /^Sent .* INVITE$/ }).click();
    await page.getByRole('dialog').getByText('CSeq:', { exact: false }).first().waitFor();
    t.match(await page.getByRole('dialog').innerText(), /INVITE sip:.*\s+Via: SIP\/2\.0\/UDP/);
  });

  await t.test('a run is stopped from its page', async (t) => {
    await page.goto(`${lab.projectUrl}/tests`);
    await page.getByRole('link', { name: /^Calls/ }).click();
    await page.getByRole('textbox', { name: 'A call lasts, seconds' }).fill('300');
    await page.getByRole('button', { name: 'Save the test' }).click();
    await page.getByRole('button', { name: /^Run Calls/ }).click();
    await page.getByText('In call', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Cancelled').first().waitFor();
    t.pass('cancelled');
  });
};
