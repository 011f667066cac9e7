/** No file imports itself by way of others; imports of types count like all others. Who is at the bottom can be read first. */
import { imports, ownSources, targetOf } from './check-arrows.ts';

type Graph = Map<string, Set<string>>;

/** Circles of imports, one line each; a file that is in several is named until none is left. */
export const importCircles = (): string[] => circlesOf(graphOf(ownSources()));

function graphOf(files: readonly string[]): Graph {
  const known = new Set(files);
  const ours = (file: string): string[] =>
    imports(file).flatMap((specifier) => {
      const target = targetOf(file, specifier);
      return target !== null && known.has(target) ? [target] : [];
    });
  return new Map(files.map((file) => [file, new Set(ours(file))]));
}

function circlesOf(graph: Graph): string[] {
  const found: string[] = [];
  for (peel(graph); graph.size > 0; peel(graph)) {
    const circle = circleIn(graph);
    found.push([...circle, circle[0]].join(' -> '));
    graph.get(circle.at(-1) ?? '')?.delete(circle[0] ?? '');
  }
  return found;
}

/** Takes away what imports nothing that is left. */
function peel(graph: Graph): void {
  for (;;) {
    const leaves = [...graph].filter(([, targets]) => targets.size === 0).map(([file]) => file);
    if (leaves.length === 0) return;
    for (const leaf of leaves) graph.delete(leaf);
    for (const targets of graph.values()) for (const leaf of leaves) targets.delete(leaf);
  }
}

/** Each file that is left imports another that is: whoever goes on comes round. */
function circleIn(graph: Graph): string[] {
  const way: string[] = [];
  let [at = ''] = graph.keys();
  while (!way.includes(at)) {
    way.push(at);
    [at = ''] = graph.get(at) ?? [];
  }
  return way.slice(way.indexOf(at));
}

if (import.meta.main) {
  const circles = importCircles();
  for (const line of circles) console.error(line);
  process.exitCode = circles.length > 0 ? 1 : 0;
}
