/** Purity: a table of lines, each with what it uses of the platform. */
import t from 'tap';
import { impureIn } from './arrows.ts';

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
