/** Compares the pages that state which folder imports which with `rooms.ts`, or with the imports themselves. */
import path from 'node:path';
import { MAY_IMPORT } from '../../rooms/rooms.ts';
import { imports, targetOf } from '../imports/arrows.ts';
import { ownSources, read } from '../sources.ts';

const ARCHITECTURE = 'docs/architecture.md';
const inTicks = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join();

/** The statements of pages about imports that the code contradicts, one line each, with the right text. */
export const wrongDirections = (): string[] => [
  ...['agent', 'control-plane'].flatMap(wrongTable),
  ...wrongList('agent/rtp'),
  ...wrongFolders('media'),
  ...wrongProbeFiles(),
];

/** The rows of the tables of architecture.md: a room of two levels, and what `rooms.ts` permits it. */
function wrongTable(floor: string): string[] {
  const page = read(ARCHITECTURE);
  return [...permitted(floor)].flatMap(([room, names]) => {
    const row = `| \`${floor}/${room}\` | ${names.length === 0 ? 'nothing' : names.join(', ')} |`;
    return page.includes(row) ? [] : [`${ARCHITECTURE}: the row of ${floor}/${room} in rooms.ts is: ${row}`];
  });
}

/** The rooms that each room may import, with "in part" if only some of their files or folders are permitted. */
function permitted(floor: string): Map<string, string[]> {
  const rooms = new Map<string, Map<string, boolean>>();
  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    const [at, room = ''] = folder.split('/');
    if (at !== floor || room.includes('.')) continue;
    const isWhole = rooms.get(room) ?? new Map<string, boolean>();
    rooms.set(room, isWhole);
    for (const target of allowed) {
      const [first = '', second, ...rest] = target.split('/');
      const name = first === floor ? (second ?? floor) : first;
      const whole = first === floor ? rest.length === 0 : second === undefined;
      if (name !== room) isWhole.set(name, whole || isWhole.get(name) === true);
    }
  }
  const words = ([name, whole]: [string, boolean]): string => (whole ? `\`${name}\`` : `\`${name}\` in part`);
  return new Map([...rooms].map(([room, isWhole]) => [room, [...isWhole].map(words)]));
}

/** The sentence "Imports …" of a folder's page. */
function wrongList(folder: string): string[] {
  const page = `${folder}/README.md`;
  const said = inTicks(/\bImports (`[^.]*?(?:\.ts`[^.]*?)*)\.\s/.exec(read(page))?.[1] ?? '');
  const allowed = MAY_IMPORT[folder] ?? [];
  return isSame(said, allowed)
    ? []
    : [`${page}: rooms.ts permits it: Imports ${allowed.map((a) => `\`${a}\``).join(', ')}.`];
}

/** The sentence "Direction: `a -> b, c`" of a page: the imports between the folders beside it. */
function wrongFolders(top: string): string[] {
  const page = `${top}/README.md`;
  const said = inTicks(/^Direction: ([^;]*)/m.exec(read(page))?.[1] ?? '').filter((text) => text.includes('->'));
  const found = new Map<string, Set<string>>();
  for (const file of ownSources().filter((file) => file.startsWith(`${top}/`)))
    for (const specifier of imports(file)) {
      const [, from = ''] = file.split('/');
      const [floor, to = ''] = targetOf(file, specifier)?.split('/') ?? [];
      if (floor === top && to !== from) found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  const real = [...found].map(([from, to]) => `${from} -> ${[...to].sort().join(', ')}`).sort();
  return isSame(said, real) ? [] : [`${page}: imports are: Direction: ${real.map((r) => `\`${r}\``).join(', ')}`];
}

/** The files of operations/run that treat a probe's run differently. architecture.md has to name them. */
function wrongProbeFiles(): string[] {
  const asks = /\bprobeId (?:!==|===) null/;
  const real = ownSources()
    .filter((file) => file.startsWith('control-plane/operations/run/') && asks.test(read(file)))
    .map((file) => path.basename(file));
  const said = inTicks(/belongs to a probe: ([^\n]*)/.exec(read(ARCHITECTURE))?.[1] ?? '');
  return isSame(said, real)
    ? []
    : [`${ARCHITECTURE}: files of operations/run that ask whether a run belongs to a probe: ${real.join(', ')}`];
}
