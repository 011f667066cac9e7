/**
 * No file may import itself through others, and no two folders may import each other; type imports count too. Code at
 * the bottom can then be read first.
 */
import path from 'node:path';
import { imports, ownSources, targetOf } from './check-arrows.ts';

type Graph = Map<string, Set<string>>;

/** Each with its reason. */
const MAY_BE_MUTUAL: ReadonlySet<string> = new Set([
  // An execution is submitted as a run; the end of that run grades the probe, in one transaction.
  'control-plane/operations/probe -> control-plane/operations/run',
]);

/** Circular imports, one line each; a file in several circles is named until none is left. */
export const importCircles = (): string[] => circlesOf(graphOf(ownSources()));

/** Folders that import each other, unless one contains the other, one line each. */
export function mutualFolders(): string[] {
  const arrows = new Map<string, string>();
  for (const [file, targets] of graphOf(ownSources()))
    for (const target of targets) arrows.set(arrow(path.dirname(file), path.dirname(target)), `${file} -> ${target}`);
  return [...arrows].flatMap(([there, example]) => {
    const [from = '', to = ''] = there.split(' -> ');
    const back = arrows.get(arrow(to, from));
    if (from >= to || back === undefined || isWithin(from, to) || isWithin(to, from) || MAY_BE_MUTUAL.has(there))
      return [];
    return [`${from} and ${to} import each other: ${example}, ${back}`];
  });
}

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

function circlesOf(graph: Graph): string[] {
  const found: string[] = [];
  for (peel(graph); graph.size > 0; peel(graph)) {
    const circle = circleIn(graph);
    found.push([...circle, circle[0]].join(' -> '));
    graph.get(circle.at(-1) ?? '')?.delete(circle[0] ?? '');
  }
  return found;
}

/** Removes files without remaining imports. */
function peel(graph: Graph): void {
  for (;;) {
    const leaves = [...graph].filter(([, targets]) => targets.size === 0).map(([file]) => file);
    if (leaves.length === 0) return;
    for (const leaf of leaves) graph.delete(leaf);
    for (const targets of graph.values()) for (const leaf of leaves) targets.delete(leaf);
  }
}

/** Each remaining file imports another remaining one: following imports finds a circle. */
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
  const wrong = [...importCircles(), ...mutualFolders()];
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
