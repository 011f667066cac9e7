/** `carillon run --baseline` and `carillon compare`, with runs of one test. */
import t from 'tap';
import { openAnswered } from '../../../../scripts/e2e/cli/answered.ts';
import { carillon } from '../../../../scripts/e2e/cli/carillon.ts';

const { lab, run, judged } = await openAnswered(t);

t.test('a baseline, and two runs compared', async (t) => {
  const listed = async (...args: string[]) =>
    JSON.parse((await carillon(lab, ['runs', '--test', 'answered', '--status', 'completed', '--json', ...args])).out);
  const ofVerdict = async (verdict: string) => (await listed('--verdict', verdict, '-n', '1'))[0] ?? null;
  if ((await ofVerdict('valid')) === null && (await ofVerdict('suspect')) === null) await judged('answered', '--wait');
  const good = await ofVerdict('valid');
  const first = good ?? (await ofVerdict('suspect'));
  if (first === null) {
    const [last] = await listed('-n', '1');
    const refused = await run('answered', '--baseline', last.id);
    t.match(refused, { code: 1, err: /is VOID: it cannot be the baseline/ }, 'the machine is too busy');
    return;
  }
  const said = await judged('answered', '--baseline', good ? 'last-good' : first.id);
  t.equal(said.code, said.machineTooBusy ? 98 : 0, said.out + said.err);
  if (!said.machineTooBusy) t.match(said.out, /against [0-9a-f-]{36}|compare with the baseline/);
  const none = await run('elsewhere', '--baseline', 'last-good');
  t.match(none, { code: 1, err: /no good run/ }, 'before anything is started');
  const compared = await carillon(lab, ['compare', 'last', first.id, '--json']);
  const { verdict, baseline, figures } = JSON.parse(compared.out);
  t.equal(baseline.testRunId, first.id);
  t.equal(compared.code, { WORSE: 99, NOT_COMPARABLE: 98 }[verdict as string] ?? 0, verdict);
  t.ok(verdict === 'NOT_COMPARABLE' || figures.length > 3, verdict);
  const text = await carillon(lab, ['compare', first.id, first.id]);
  t.match(text, { code: 0, out: /(NO_DIFFERENCE|TOO_LITTLE_DATA): / });
  t.match(await carillon(lab, ['compare', 'last', 'ffffffff']), { code: 1, err: /There is no run/ });
});
