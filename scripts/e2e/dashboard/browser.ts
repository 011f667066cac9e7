/** Log and load size of the browser, and the faults that no page had in any earlier chapter. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Chapter } from './lab.ts';

const ASSETS = path.resolve(import.meta.dirname, '../../../control-plane/dashboard/dist/assets');
const MOST_KILOBYTES = 200;

export const browser: Chapter = async (t, lab) => {
  const { url } = lab.controlPlane;
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const policy = page.headers.get('content-security-policy') ?? '';
  t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{20,}'/);
  t.notMatch(policy, /unsafe/);
  t.equal(page.headers.get('cache-control'), 'no-cache');
  const text = await page.text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
  t.match((await fetch(url + script)).headers.get('cache-control'), /immutable/);
  const packed = await fetch(url + script, { headers: { 'accept-encoding': 'gzip' } });
  t.equal(packed.headers.get('content-encoding'), 'gzip', 'sent as small as it was made');
  t.equal((await fetch(`${url}/api/v1/nothing`, { headers: { accept: 'text/html' } })).status, 404);

  for (const address of ['/log-in', '/']) {
    const guest = await lab.visit();
    const scripts = new Set<string>();
    guest.page.on('response', (r) => /\/assets\/.*\.js$/.test(r.url()) && scripts.add(path.basename(r.url())));
    if (address === '/') await guest.context.addCookies(await lab.owner.context.cookies());
    await guest.page.goto(address, { waitUntil: 'networkidle' });
    await guest.page
      .getByText(address === '/' ? 'Agents online' : 'Password')
      .first()
      .waitFor();
    // With gzip, which is larger: what a browser without HTTPS gets.
    const kilobytes = [...scripts].reduce((n, name) => n + statSync(path.join(ASSETS, `${name}.gz`)).size, 0) / 1000;
    t.comment(`${address}: ${kilobytes.toFixed(1)} kB of JavaScript in ${scripts.size} files, by gzip`);
    t.ok(scripts.size > 2 && kilobytes < MOST_KILOBYTES, `first load of ${address}: ${kilobytes.toFixed(1)} kB`);
    await guest.context.close();
  }
  t.same(lab.faults(), []);
};
