/** An API key is shown once, and works. */
import type { Chapter } from './lab.ts';

export const apiKeys: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByLabel('Name').fill('pipeline');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.locator('pre').innerText();
  const answer = await fetch(`${lab.controlPlane.url}/api/v1/projects`, {
    headers: { authorization: `Bearer ${key}` },
  });
  t.equal(answer.status, 200);
  await page.reload();
  t.notOk((await page.content()).includes(key), 'not again');
};
