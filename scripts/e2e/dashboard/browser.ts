/** Log and load size of the browser, and the faults that no page had in any earlier chapter. */
import { firstLoad } from './first-load.ts';
import type { Chapter } from './lab.ts';

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

  const guest = await lab.visit();
  await firstLoad(t, guest.page, '/log-in', 'Password');
  await guest.context.close();
  t.same(lab.faults(), []);
};
