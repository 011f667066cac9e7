/** No feature replaces anything of another: sums are made by spreading, in which the later of two equal names would win. */
import path from 'node:path';
import t from 'tap';
import { FEATURES } from '../control-plane/features.ts';
import { exportsOf, SUMS } from './draw-features.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** These moments of the core have room for one feature. */
const OF_ONE = ['brand', 'enrollment', 'takeCode'];

/** The names in `of` of each feature's `file`, with the feature. Node.js cannot load `pages.tsx`. */
async function namesIn(file: string, of: string): Promise<[name: string, feature: string][]> {
  const having = Object.keys(FEATURES).filter((feature) => exportsOf(feature, file).includes(of));
  const found = having.map(async (feature) => {
    const exported = await import(path.join(ROOT, 'control-plane/features', feature, file));
    return Object.keys(exported[of]).map((name): [string, string] => [name, feature]);
  });
  return (await Promise.all(found)).flat();
}

const doubles = (names: readonly [string, string][]): string[] =>
  names
    .filter(([name, feature]) => names.some(([other, its]) => other === name && its !== feature))
    .map(([name, feature]) => `${name} of ${feature}`);

for (const [file, sums] of Object.entries(SUMS).filter(([name]) => !name.endsWith('.tsx')))
  for (const { of, type } of sums)
    if (!type) t.test(`${of} of ${file}`, async (t) => t.same(doubles(await namesIn(file, of)), []));

t.test('moments with room for one feature', async (t) => {
  const names = await namesIn('server.ts', 'HOOKS');
  t.ok(names.length > OF_ONE.length);
  t.same(doubles(names.filter(([name]) => OF_ONE.includes(name))), []);
});
