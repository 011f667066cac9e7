/** `carillon capacity`, and Ctrl-C. */
import t from 'tap';
import { openAnswered } from '../../../../scripts/e2e/cli/answered.ts';
import { carillon, startCarillon } from '../../../../scripts/e2e/cli/carillon.ts';
import { until } from '../../../../scripts/peers/process.ts';

const { lab } = await openAnswered(t);

t.test('a capacity search that is cancelled', async (t) => {
  const search = startCarillon(lab, ['capacity', 'answered', '--slo', 'pdd<=5000']);
  await until('it searches', () => /capacity search/.test(search.out()));
  search.signal('SIGINT');
  const said = await search.ended;
  t.equal(said.code, 105, said.out + said.err);
  t.match(await carillon(lab, ['capacity', 'answered', '--slo', 'pdd>=1']), { code: 1, err: /good side is <=/ });
});
