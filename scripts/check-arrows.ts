/**
 * Checks imports between folders against `rooms.ts`. Every forbidden import is named, and every file outside the known
 * folders. Tests may import everything; shared test code (`testing/`) is for tests and scripts.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DOORS } from './doors.ts';
import { MAY_IMPORT } from './rooms.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const inside = (file: string, room: string): boolean => file === room || file.startsWith(`${room}/`);
const roomOf = (file: string): string | undefined => Object.keys(MAY_IMPORT).find((room) => inside(file, room));

/** Tests and their kits: no product. */
export const isTest = (file: string): boolean => /\.test\.ts$|(^|\/)testing\//.test(file);

/** Sources without tests and generated files. */
export const ownSources = (): string[] =>
  globSync('{proto,media,agent,control-plane,scripts}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: (name) => /(^|\/)(node_modules|dist|gen)$/.test(name),
  }).filter((file) => !/(^|\/)(gen|node_modules|dist)\//.test(file) && !isTest(file));

/** Forbidden imports, one line each. */
export function wrongArrows(): string[] {
  const wrong: string[] = [];
  for (const file of ownSources()) {
    const room = roomOf(file);
    if (!room) wrong.push(`${file}: belongs to no room`);
    else for (const target of imports(file)) wrong.push(...judge(file, room, target));
  }
  return wrong;
}

/** Specifiers of a file; `import(…)` and `new URL('./x.ts', import.meta.url)` count as well. */
export function imports(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:[^'";]*?\bfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g,
  );
  return [...found].map((m) => (m[1] ?? m[2] ?? m[3]) as string);
}

/** Our file for an import specifier; null: a library or the platform. */
export function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  return specifier.startsWith('@carillon/') ? specifier.slice('@carillon/'.length) : null;
}

function judge(file: string, room: string, specifier: string): string[] {
  if (specifier.startsWith('node:')) return [];
  const target = targetOf(file, specifier);
  if (target !== null) {
    if (isTest(target) && !inside(file, 'scripts')) return [`${file} -> ${target}, which is for tests`];
    const allowed = inside(target, room) || (MAY_IMPORT[room] as readonly string[]).some((r) => inside(target, r));
    return allowed ? [] : [`${file} -> ${target}`];
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const doors = DOORS[name];
  if (!doors || inside(file, 'scripts') || doors.some((door) => inside(file, door))) return [];
  return [`${file} -> ${name} (its door: ${doors.join(', ')})`];
}

if (import.meta.main) {
  const wrong = wrongArrows();
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
