/** Bodies at random. */
import t from 'tap';
import fc, { anyText } from '../../../scripts/test-run/properties.ts';
import { CATALOGUE } from '../../catalogue.ts';
import { type OperationName, type OperationRow, otherParameters } from '../../contract/catalogue.ts';
import { CONFIGURATION } from '../../contract/configuration.ts';
import { probeBody, wavBase64 } from '../../testing/api.ts';
import { openWrites, UNHURRIED } from '../../testing/writes.ts';

const { api, lab, make, registrar, test } = await openWrites(t);
const { ask, world, projectId, cloudId } = api;
Object.assign(world.ports.settings, { plans: UNHURRIED });

const matching = (version: string) => ({ headers: { 'if-match': version } });

t.test('bodies at random never get a 500', async (t) => {
  const names = Object.keys(CONFIGURATION) as (keyof typeof CONFIGURATION)[];
  const testUrl = await make(`${lab}/tests`, test());
  const probeUrl = await make(`${lab}/probes`, probeBody(cloudId));
  const registrarUrl = await make(`${lab}/registrars`, registrar());
  const own: Record<string, string> = {
    projectId,
    testId: testUrl.split('/').at(-1) ?? '',
    probeId: probeUrl.split('/').at(-1) ?? '',
    registrarId: registrarUrl.split('/').at(-1) ?? '',
  };
  /** Valid in every field, by name. */
  const good: Record<string, unknown> = {
    ...registrar(),
    ...test(),
    ...probeBody(cloudId),
    slug: undefined,
    url: 'https://hooks.example/random',
    events: ['incident.opened'],
    content: wavBase64(),
    username: 'u',
    password: 'p',
    sipAccounts: [{ username: 'u', password: 'p' }],
  };
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    anyText(30),
    fc.constantFrom(
      '\u0000',
      '\ud800',
      '01900000-0000-7000-8000-000000000000',
      cloudId,
      2 ** 31,
      -1,
      1e308,
      '__proto__',
    ),
  );
  const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  /** Changes one value, at any depth. */
  const spoiled = (value: unknown): fc.Arbitrary<unknown> =>
    value !== null && typeof value === 'object' && Object.keys(value).length > 0
      ? fc.oneof(
          { weight: 1, arbitrary: odd },
          {
            weight: 4,
            arbitrary: fc
              .constantFrom(...Object.keys(value))
              .chain((key) =>
                spoiled((value as Record<string, unknown>)[key]).map((inner) =>
                  Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner },
                ),
              ),
          },
        )
      : odd;
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names).chain((name) => {
        const row: OperationRow = CATALOGUE[name as OperationName];
        const body = Object.fromEntries(
          otherParameters(row).flatMap((key) => (good[key] === undefined ? [] : [[key, good[key]]])),
        );
        return fc.record({
          row: fc.constant(row),
          body: fc.oneof(spoiled(body), fc.constant(body)),
          id: fc.oneof(odd.map(written), fc.constant(null)),
        });
      }),
      async ({ row, body, id }) => {
        const destroys = row.method === 'DELETE' || row.path === '/projects/{projectId}';
        const url = row.path.replace(/\{(\w+)\}/g, (_, key: string) => {
          const value = key === 'projectId' || id === null ? (own[key] ?? 'x') : id;
          return encodeURIComponent(value.toWellFormed().replaceAll('.', '') || 'x');
        });
        const reply = await ask(
          row.method,
          url,
          row.method === 'GET' ? undefined : body,
          destroys ? matching('"0"') : {},
        );
        seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
        return reply.status < 500;
      },
    ),
    { numRuns: 1500 },
  );
  t.comment(JSON.stringify([...seen].sort()));
  t.ok((seen.get(201) ?? 0) > 0 && (seen.get(422) ?? 0) > 0 && (seen.get(404) ?? 0) > 0);
});
