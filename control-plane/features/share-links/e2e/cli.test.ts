/** `carillon share`: the report of a run at an address, until that is revoked. */
import t from 'tap';
import { openAnswered } from '../../../../scripts/e2e/cli/answered.ts';
import { carillon } from '../../../../scripts/e2e/cli/carillon.ts';

const { lab, run } = await openAnswered(t);

t.test('a run is shared, and the link revoked', async (t) => {
  await run('answered', '--wait');
  const shared = await carillon(lab, ['share', 'last', '--days', '1']);
  t.match(shared, { code: 0, out: /^http:\S+\/shared\/[\w-]{43}\n$/, err: /not shown again/ });
  const page = () => fetch(shared.out.trim());
  const report = await page();
  t.match([report.status, await report.text()], [200, /<!doctype html>/i]);
  const listed = await carillon(lab, ['share', 'last', '--list', '--json']);
  const [link, other] = JSON.parse(listed.out);
  t.match([link, other], [{ views: 1 }, undefined]);
  t.notMatch(listed.out, shared.out.trim().slice(-43), 'its address is not shown again');
  t.equal((await carillon(lab, ['share', 'last', '--revoke', link.id.slice(-8)])).code, 0);
  t.equal((await page()).status, 404);
  t.match(await carillon(lab, ['share', 'last', '--revoke', link.id]), { code: 1, err: /no valid link/ });
  t.match(await carillon(lab, ['share', 'last', '--days', '91']), { code: 1, err: /1 to 90/ });
});
