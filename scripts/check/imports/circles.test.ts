import t from 'tap';
import { folderCircles } from './circles.ts';

const graph = (imports: Record<string, readonly string[]>) =>
  new Map(Object.entries(imports).map(([file, targets]) => [file, new Set(targets)]));

t.test('folders that import themselves through two others are a circle, though no file is in one', async (t) => {
  const [circle, ...others] = folderCircles(
    graph({
      'run/plan.ts': ['run/load.ts'],
      'run/canary.ts': ['probe/grade.ts'],
      'probe/words.ts': ['figures/findings.ts', 'basis/seconds.ts'],
      'figures/due.ts': ['run/load.ts'],
    }),
  );
  t.equal(
    circle,
    'probe -> figures -> run -> probe: probe/words.ts -> figures/findings.ts, figures/due.ts -> run/load.ts, run/canary.ts -> probe/grade.ts',
  );
  t.same(others, []);
});

t.test('two folders that import each other are a circle, and every circle is named', async (t) => {
  const circles = folderCircles(
    graph({ 'a/1.ts': ['b/1.ts'], 'b/2.ts': ['a/2.ts'], 'c/1.ts': ['d/1.ts'], 'd/2.ts': ['a/1.ts', 'c/2.ts'] }),
  );
  t.equal(circles.length, 2);
});

t.test('a folder and its sub-folders may import each other; imports in one direction are no circle', async (t) => {
  t.same(folderCircles(graph({ 'a/1.ts': ['a/b/1.ts', 'c/1.ts'], 'a/b/2.ts': ['a/2.ts', 'c/1.ts'] })), []);
});

t.test('the product has no circle of folders', async (t) => t.same(folderCircles(), []));
