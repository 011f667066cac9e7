/**
 * No file may import itself through others, and no folder may import itself through other folders, however many. Type imports
 * count, too. This way, code at the bottom can be read first.
 */
import path from 'node:path';
import { ownSources } from '../sources.ts';
import { imports, targetOf } from './arrows.ts';

/** Each file or folder -> what it imports. */
type Graph = Map<string, Set<string>>;

/** Circular imports, one line each. A file in several circles is named until none is left. */
export const importCircles = (): string[] => circlesOf(graphOf(ownSources())).map((circle) => circle.join(' -> '));

/** Folders that import themselves through others, one line each, with an import for each step. */
export function folderCircles(files: Graph = graphOf(ownSources())): string[] {
  const folders: Graph = new Map();
  const examples = new Map<string, string>();
  for (const [file, targets] of files)
    for (const target of targets) {
      const [from, to] = [folderOf(file), folderOf(target)];
      // A folder and its sub-folders count as one.
      if (isWithin(from, to) || isWithin(to, from)) continue;
      folders.set(to, folders.get(to) ?? new Set());
      folders.set(from, (folders.get(from) ?? new Set()).add(to));
      examples.set(arrow(from, to), arrow(file, target));
    }
  return circlesOf(folders).map((circle) => {
    const steps = circle.slice(1).map((to, n) => examples.get(arrow(circle[n] ?? '', to)));
    return `${circle.join(' -> ')}: ${steps.join(', ')}`;
  });
}

/** The sums of features join the core and the features: they count as files of the folder around them. */
const folderOf = (file: string): string => path.dirname(file).replace(/\/feature-sums$/, '');

const arrow = (from: string, to: string): string => `${from} -> ${to}`;
const isWithin = (folder: string, other: string): boolean => folder === other || folder.startsWith(`${other}/`);

function graphOf(files: readonly string[]): Graph {
  const known = new Set(files);
  const ours = (file: string): string[] =>
    imports(file).flatMap((specifier) => {
      const target = targetOf(file, specifier);
      return target !== null && known.has(target) ? [target] : [];
    });
  return new Map(files.map((file) => [file, new Set(ours(file))]));
}

/** The circles of a graph, each ending with its first file or folder. The graph is emptied. */
function circlesOf(graph: Graph): string[][] {
  const found: string[][] = [];
  for (peel(graph); graph.size > 0; peel(graph)) {
    const circle = circleIn(graph);
    const [first = ''] = circle;
    found.push([...circle, first]);
    graph.get(circle.at(-1) ?? '')?.delete(first);
  }
  return found;
}

/** Removes nodes that have no imports left. */
function peel(graph: Graph): void {
  for (;;) {
    const leaves = [...graph].filter(([, targets]) => targets.size === 0).map(([file]) => file);
    if (leaves.length === 0) return;
    for (const leaf of leaves) graph.delete(leaf);
    for (const targets of graph.values()) for (const target of targets) if (!graph.has(target)) targets.delete(target);
  }
}

/** Every remaining node imports another remaining one, so following imports finds a circle. */
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
  const wrong = [...importCircles(), ...folderCircles()];
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
