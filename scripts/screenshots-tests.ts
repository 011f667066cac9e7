/** Pictures of tests: their form in each of its shapes, the dialog that starts one, and a run with a canary. */
import type { Page } from 'playwright-core';
import type { Everything, LabAsk } from './e2e/dashboard/lab-data.ts';

type Parts = {
  readonly page: Page;
  readonly ask: LabAsk;
  /** Address of the project. */
  readonly at: string;
  readonly ids: Everything;
  readonly shoot: (name: string, address: string, ready: string, act?: () => Promise<unknown>) => Promise<void>;
  readonly ended: (runId: string) => Promise<unknown>;
  readonly only: string | undefined;
};

export async function testPictures({ page, ask, at, ids, shoot, ended, only }: Parts): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const choose = async (list: string, option: string): Promise<void> => {
    await page.getByRole('combobox', { name: list, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await shoot('test-load', `${at}/tests/new`, 'Summary', async () => {
    await page.getByRole('radio', { name: 'A SIP address', exact: true }).check();
    await page.getByRole('combobox', { name: 'Calls start' }).click();
    await page.getByRole('option', { name: 'At a steady rate' }).click();
    await page.getByRole('textbox', { name: 'Calls at once, at most' }).fill('40');
  });
  const trunkTest = async (): Promise<void> => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('By way of the trunk');
    await page.getByRole('radio', { name: 'A SIP address', exact: true }).check();
    await choose('Registrar or trunk', 'Support trunk');
    await page.getByRole('textbox', { name: 'Address' }).fill('sip:{{1000..1999}}@pbx.example\nnobody');
    await choose('ICE', 'The same, and the address that a STUN server sees');
    await page.getByRole('textbox', { name: 'STUN server' }).fill('turn:turn.example');
    await page.getByRole('textbox', { name: 'Diversion' }).fill('sip:100@pbx.example');
    await page.getByRole('checkbox', { name: 'Session timer' }).check();
    await button('Add a header field').click();
    await page.getByRole('textbox', { name: 'Header field' }).fill('X-Desk');
    await page.getByRole('textbox', { name: 'Value' }).fill('12');
    await button('Create test').click();
    await page.getByRole('alert').waitFor();
  };
  await shoot('test-trunk', `${at}/tests/new`, 'Summary', trunkTest);
  await shoot('test-scenario', `${at}/tests/new`, 'Summary', async () => {
    const check = (name: string) => page.getByRole('checkbox', { name, exact: true }).check();
    await page.getByRole('radio', { name: 'A SIP address', exact: true }).check();
    for (const name of [
      'Video',
      'Video is added later',
      'Digits after the answer',
      'Impaired network',
      'Keep RTP headers',
    ])
      await check(name);
    for (let n = 0; n < 3; n++) await button('Add an action').click();
    await choose('Action 1', 'Add a deferred track');
    await choose('Action 2, after', 'digits arrive');
    await choose('Action 2', 'Attended transfer');
    await choose('Action 3', 'Press digits');
  });
  await shoot('test-start', `${at}/tests`, 'Endpoints', async () => {
    await button(/^Run /).click();
    await page.getByRole('dialog').getByText('A run sends up to').waitFor();
  });
  if (!only || new RegExp(only).test('run-canary')) {
    const canary = { probeId: ids.probeId, everySeconds: 1 };
    const { testRunId } = await ask<{ testRunId: string }>('POST', `${at}/tests/${ids.testId}/run`, { canary });
    await ended(testRunId);
    await shoot('run-canary', `${at}/runs/${testRunId}`, 'Canary', async () => {
      await page.getByText(/^Executions \(/).click();
    });
  }
  for (const [name, who] of [
    ['test-receive', 'None: endpoints receive calls'],
    ['test-register', 'None: endpoints only register'],
  ] as const)
    await shoot(name, `${at}/tests/new`, 'Summary', () => page.getByRole('radio', { name: who }).check());
}
