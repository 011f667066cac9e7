/** Purity: a table of lines, each with what it uses of the platform. Doors: who may import which library. */
import t from 'tap';
import { impureIn, wrongDoor } from './arrows.ts';

const LINES: readonly (readonly [line: string, uses: readonly string[]])[] = [
  ["import { isIP } from 'node:net';", []],
  ["import { isIP, connect } from 'node:net';", ['connect of node:net']],
  ["import {\n  createHash,\n  randomBytes,\n} from 'node:crypto';", ['randomBytes of node:crypto']],
  ["import fs from 'node:fs';", ['fs of node:fs']],
  ["import * as fs from 'node:fs';", ['*', 'as', 'fs'].map((part) => `${part} of node:fs`)],
  ["import type { IncomingHttpHeaders } from 'node:http';", []],
  ['const at = Date.now();', ['Date.now']],
  ['const at = new Date();', ['new Date()']],
  ['const at = new Date(record.at).getTime() - Date.parse(text);', []],
  ['const chance = Math.random();', ['Math.random']],
  ['const id = crypto.randomUUID();', ['crypto.randomUUID']],
  ['setTimeout(next, waitMs);', ['setTimeout']],
  ['const { env } = process;', ['process']],
  ["const text = await (await fetch('/runs')).json();", ['fetch(']],
  ["const page = await import('./page.ts');", ['import(']],
  ["// The process calls Date.now().\nconst word = 'process';", []],
  ['/** Math.random() is not used. */', []],
];

t.test('what a pure file may not use is found', async (t) => {
  for (const [line, uses] of LINES) t.strictSame(impureIn(line), uses, line);
});

const IMPORTS: readonly (readonly [file: string, room: string, library: string, isWrong: boolean])[] = [
  ['control-plane/store/db.ts', 'control-plane/store', 'pg', false],
  ['control-plane/features/mail/store/mails.ts', 'control-plane/store', 'pg', false],
  ['control-plane/operations/run/start.ts', 'control-plane/operations', 'pg', true],
  ['control-plane/store/new-id.ts', 'control-plane/store', 'uuid', false],
  ['control-plane/store/pages.ts', 'control-plane/store', 'uuid', true],
  ['control-plane/store/pages.ts', 'control-plane/store', 'left-pad', true],
  ['scripts/peers/process.ts', 'scripts', 'left-pad', false],
];

t.test('a library is imported by its door, and only scripts import one that has none', async (t) => {
  for (const [file, room, library, isWrong] of IMPORTS)
    t.equal(wrongDoor(file, room, library).length, isWrong ? 1 : 0, `${file} -> ${library}`);
});
