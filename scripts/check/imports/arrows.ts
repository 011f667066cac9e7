/**
 * Checks imports between folders against `rooms.ts`. It names every forbidden import, and every file outside the known folders.
 * Tests may import everything; shared test code (`testing/`) is for tests and scripts. Pure rooms may use no platform: no socket,
 * no file, no clock, no timer, no chance and no environment.
 */
import path from 'node:path';
import { DOORS } from '../../rooms/doors.ts';
import { ROOM_OF_PART } from '../../rooms/feature-rooms.ts';
import { FOLDER_ORDER } from '../../rooms/inner-rooms.ts';
import { MAY_IMPORT, PURE } from '../../rooms/rooms.ts';
import { isTest, ownSources, read } from '../sources.ts';

const FEATURE = /^control-plane\/features\/([^/]+)\/([^/]+)/;

const inside = (file: string, room: string): boolean => file === room || file.startsWith(`${room}/`);
const roomOf = (file: string): string | undefined => Object.keys(MAY_IMPORT).find((room) => inside(file, room));

/** Forbidden imports, one line each. */
export function wrongArrows(): string[] {
  const wrong: string[] = [];
  for (const file of ownSources()) {
    const part = partOf(file);
    const room = part?.room ?? roomOf(file);
    if (!room || !(room in MAY_IMPORT)) wrong.push(`${file}: belongs to no room`);
    else for (const target of imports(file)) wrong.push(...judge(file, room, target, part?.feature));
    if (PURE.rooms.some((one) => inside(room ?? file, one)) && !PURE.except.some((one) => inside(file, one)))
      wrong.push(...impureIn(read(file)).map((what) => `${file}: uses ${what}, and its room is pure`));
  }
  return wrong;
}

/** These read the world or change it without an import. `new Date(at)` and `Date.parse(text)` only compute. */
const IMPURE =
  /\b(?:Date\.now|new Date(?:\(\)|;)|Math\.random|crypto\.\w+|performance\.\w+|set(?:Timeout|Interval|Immediate)|process|globalThis|console\.\w+|fetch\(|import\(|new (?:WebSocket|Worker))/g;
const NOT_CODE = /\/\*[\s\S]*?\*\/|\/\/ .*|'(?:[^'\\\n]|\\.)*'/g;
const FROM_PLATFORM = /^import (?!type\b)([^'"]*?) ?(?:from )?'(node:[^']+)'/gm;

/** What a pure file uses of the platform and may not, such as `now of node:perf_hooks` and `Date.now`. */
export function impureIn(text: string): string[] {
  const imported = [...text.matchAll(FROM_PLATFORM)].flatMap(([, what = '', module = '']) =>
    what
      .split(/[{},\s]+/)
      .filter((name) => name !== '' && !PURE.computing[module]?.includes(name))
      .map((name) => `${name} of ${module}`),
  );
  const globals = text.replace(NOT_CODE, (found) => (found.startsWith("'") ? "''" : '')).matchAll(IMPURE);
  return [...imported, ...[...globals].map(([found]) => found)];
}

const importsByFile = new Map<string, readonly string[]>();

/** The specifiers of a file; `import(…)`, `createRequire(…)('x')` and `new URL('./x.ts', import.meta.url)` count as well. */
export function imports(file: string): readonly string[] {
  const before = importsByFile.get(file);
  if (before !== undefined) return before;
  const text = read(file).replace(/\/\*[\s\S]*?\*\//g, '');
  const matches = text.matchAll(
    /(?:^|\n)\s*(?:import\s*|(?:import|export)\b[^'";]*?\bfrom\s*)['"]([^'"]+)['"]|\b(?:import|createRequire\(import\.meta\.url\)(?:\.resolve)?)\(\s*['"]([^'"]+)['"]|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g,
  );
  const found = [...matches].map((m) => (m[1] ?? m[2] ?? m[3]) as string);
  importsByFile.set(file, found);
  return found;
}

/** Our file for an import specifier; null: the specifier names a library or the platform. */
export function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  return specifier.startsWith('@carillon/') ? specifier.slice('@carillon/'.length) : null;
}

/** The package of an import: `@mantine/core/styles.css` -> `@mantine/core`. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** A file of a feature: the feature, and the room of the core whose rules it follows. */
function partOf(file: string): { readonly feature: string; readonly room: string } | null {
  const [, feature, part] = FEATURE.exec(file) ?? [];
  return feature && part ? { feature, room: `control-plane/${ROOM_OF_PART[part] ?? part}` } : null;
}

/** A feature's part may import another one if its room may import that one's room. What it hands to the core may import all. */
function mayWithin(file: string, room: string, feature: string, target: string): boolean {
  const other = partOf(target);
  const isForCore = FEATURE.exec(file)?.[2] !== undefined && (FEATURE.exec(file)?.[2] ?? '') in ROOM_OF_PART;
  return (
    other?.feature === feature && (isForCore || other.room === room || (MAY_IMPORT[room] ?? []).includes(other.room))
  );
}

/** A folder of a large room that imports a later one, or has no place in the order (inner-rooms.ts). */
function againstOrder(file: string, target: string): string[] {
  for (const [room, order] of Object.entries(FOLDER_ORDER)) {
    if (!inside(file, room) || !inside(target, room)) continue;
    const [from, to] = [file, target].map((one) => one.slice(room.length + 1).split('/'));
    if (!from || !to || from.length === 1 || to.length === 1 || from[0] === to[0]) continue;
    const [place, other] = [from, to].map(([folder = '']) => order.indexOf(folder)) as [number, number];
    if (place < 0 || other < 0 || other > place)
      return [`${file} -> ${target}, against the order of folders in ${room}`];
  }
  return [];
}

function judge(file: string, room: string, specifier: string, feature: string | undefined): string[] {
  if (specifier.startsWith('node:')) return [];
  const target = targetOf(file, specifier);
  if (target !== null) {
    if (isTest(target) && !inside(file, 'scripts')) return [`${file} -> ${target}, which is for tests`];
    const allowed =
      inside(target, room) ||
      (MAY_IMPORT[room] as readonly string[]).some((r) => inside(target, r)) ||
      (feature !== undefined && mayWithin(file, room, feature, target));
    return allowed ? againstOrder(file, target) : [`${file} -> ${target}`];
  }
  return wrongDoor(file, room, packageOf(specifier));
}

/** A library that the file may not import; `room`: the one whose rules the file follows. */
export function wrongDoor(file: string, room: string, library: string): string[] {
  const doors = DOORS[library];
  if (inside(file, 'scripts') || doors?.some((door) => inside(file, door) || inside(room, door))) return [];
  return [
    `${file} -> ${library} (${doors ? `its door: ${doors.join(', ')}` : 'scripts/rooms/doors.ts does not name it'})`,
  ];
}

if (import.meta.main) {
  const wrong = wrongArrows();
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
