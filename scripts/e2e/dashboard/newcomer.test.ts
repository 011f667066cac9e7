/**
 * The shortest proof of the dashboard: from the link that the first start printed to a measured call, only by clicks that the
 * pages suggest; the agent is started with the command that the page shows. No PBX: agents call each other.
 */
import path from 'node:path';
import t from 'tap';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { barriersInBoth, chartsAreDrawn } from '../../peers/referees/chromium.ts';
import { firstLoad } from './first-load.ts';
import { openDashboardLab, PASSWORD, XSS } from './lab.ts';
import { askAs, endedRun, runByClicks } from './lab-data.ts';
import { shows } from './shows.ts';
import { noFaults } from './tell.ts';

const lab = await openDashboardLab(t);

t.test('newcomer', async (t) => {
  const { page, context } = await lab.visit();
  const link = await until('the link is printed', () => /(http\S+\/set-up#\S+)/.exec(lab.controlPlane.output())?.[1]);
  await page.goto(link);
  await page.getByLabel('Organization').waitFor();
  t.same(await barriersInBoth(page), [], 'set-up');
  await page.getByLabel('Organization').fill(`Acme ${XSS}`);
  await page.getByLabel('Your name').fill(`Ada ${XSS}`);
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByRole('button', { name: 'Create your first project' }).click();
  // Units have a cheaper one.
  const [account] = await lab.database.query<{ hash: string }>('select password_hash as hash from users');
  t.match(account?.hash, /^scrypt\$32768\$8\$3\$/, 'a guess costs what it should');
  await page.getByLabel('Name').fill(XSS);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { name: XSS }).waitFor();
  const at = new URL(page.url()).pathname;

  await page.getByRole('link', { name: 'Enroll an agent' }).click();
  await page.getByRole('button', { name: 'Enroll an agent' }).click();
  await page.getByLabel('Name').fill('berlin-1');
  await page.getByRole('button', { name: 'Create join token' }).click();
  await page
    .getByRole('timer')
    .getByText(/good for 1[45]:\d\d/)
    .waitFor();
  // Of an address that works only on this host.
  await page.getByRole('tab', { name: 'Checkout', selected: true }).waitFor();
  for (const [way, command] of [
    ['npm package', /^npm install -g \.\/carillon-agent-[\d.]+\.tgz\ncarillon-agent enroll --url ws\S+ --token \S+\n/],
    ['Single file', /\.\/carillon-agent-linux-x64 enroll --url ws/],
    ['systemd', /systemctl enable --now carillon-agent$/],
  ] as const) {
    await page.getByRole('tab', { name: way }).click();
    await shows(t, page.locator('pre'), command, way);
    await shows(t, page.getByRole('tabpanel'), /Copy the file from a release to the host/, way);
  }
  const unreachable = page.getByRole('region', { name: 'This address works only on this host' });
  await shows(t, unreachable, /HOST=0\.0\.0\.0.*CARILLON_PUBLIC_URL=.*CARILLON_TLS_CERTIFICATE=/s, 'settings');
  await page.getByText('Waiting to join').waitFor();
  await page.getByRole('tab', { name: 'Checkout' }).click();
  const agent = startShownAgent(await page.locator('pre').innerText());
  t.teardown(() => endGroup(agent));
  await page.getByText('The agent is online').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: 'Back to' }).click();
  await page.getByRole('link', { name: 'Create a test' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Calls ${XSS}`);
  await page.getByRole('textbox', { name: 'Calls', exact: true }).fill('4');
  await page.getByRole('textbox', { name: 'Spread over, seconds' }).fill('1');
  await page.getByRole('textbox', { name: 'Call duration, seconds' }).fill('3');
  await page.getByText('4 at the same time').waitFor();
  await page.getByText('Room: 8 of').waitFor();
  await page.getByRole('button', { name: 'Create test' }).click();

  let isFirst = true;
  const run = await endedRun(askAs(page), at, async () => {
    if (!isFirst) await page.goto(`${at}/tests`);
    await page.getByRole('button', { name: isFirst ? 'Run this test' : /^Run Calls/ }).click();
    isFirst = false;
    await page.getByRole('dialog').getByText('Only to endpoints of the test.').waitFor();
    const id = await runByClicks(page, () => page.getByRole('button', { name: 'Start run' }).click());
    await page.getByText('Calls started').waitFor();
    // On a slow host the calls are over before the page has drawn it; a busy one has prevented them.
    const over = page.getByText(/calls good|^Failed|^Cannot run for now/);
    await page.getByRole('button', { name: 'Stop' }).or(over).first().waitFor();
    return id;
  });
  await page.reload();
  await page
    .getByText(/of 4 calls good/)
    .first()
    .waitFor();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  await shows(t, page.getByRole('region', { name: 'Summary' }), /Calls\s+4\s+4 answered/);

  const again = await lab.visit();
  await again.context.addCookies(await context.cookies());
  await firstLoad(t, again.page, '/', 'Agents online');
  await again.page.getByRole('button', { name: /: account$/ }).click();
  await again.page.getByRole('menuitem', { name: 'Password and sessions' }).waitFor();
  await again.context.close();

  // Void: a busy host has made faults of its own.
  if (run.validity?.verdict === 'VOID') return;
  await page.getByText('No endpoint failed.').waitFor();
  t.ok((await chartsAreDrawn(page)) > 1, 'every chart has a line after a cold load');
  await page.getByRole('button', { name: 'More charts' }).click();
  t.ok((await chartsAreDrawn(page)) > 5, 'and each of the others');
  await shows(t, page.getByRole('region', { name: 'What callers heard' }), /4 calls\s+4 good\s+Good calls\s+4 of 4/);
});

noFaults(t, lab);

/** The command that a page shows to an operator, in a shell in a checkout; on the loopback, in parallel with other agents. */
function startShownAgent(command: string): Peer {
  const peer = startPeer('sh', ['-c', command], {
    cwd: path.resolve(import.meta.dirname, '..', '..', '..'),
    ownGroup: true,
    env: {
      CARILLON_AGENT_DIR: path.join(lab.dir, 'agent'),
      CARILLON_SIP_ADDRESS: '127.0.0.1',
      CARILLON_METRICS_PORT: '0',
    },
  });
  process.on('exit', () => signalGroup(peer, 'SIGKILL'));
  return peer;
}

/** The shell and all that it started, as Ctrl-C would end them; whatever is left a while later is killed. */
async function endGroup(peer: Peer): Promise<void> {
  signalGroup(peer, 'SIGTERM');
  const late = setTimeout(() => signalGroup(peer, 'SIGKILL'), 30_000);
  await peer.exited;
  clearTimeout(late);
}

function signalGroup({ pid }: Peer, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of them have ended.
  }
}
