/** Statements that a module executes when it is imported, and those that only look so. */
import t from 'tap';
import { effectsIn } from './effects.ts';

for (const [text, found] of [
  ["import { a } from './a.ts';\nimport './style.css';\nexport { b } from './b.ts';", []],
  ['const LIST = new Map();\nexport let next = 0;\nexport const f = async () => {\n  await g();\n};', []],
  ['export async function f() {\n  open();\n}\nabstract class A {}\ndeclare module "x";', []],
  ['type A = Readonly<\n  B\n>;\ninterface C {}\nexport default {\n  a: 1,\n};', []],
  ['/*\nopen();\n*/\n// open();\nconst page = `\nopen();\n`;', []],
  ['const LIST = new List();\nLIST.add(1);', ['LIST.add(1);']],
  ['for (const one of ALL) add(one);', ['for (const one of ALL) add(one);']],
  ['if (!port) throw new Error();', ['if (!port) throw new Error();']],
  ['let count = 0;\ncount += 1;', ['count += 1;']],
  ['types.setTypeParser(1, Number);', ['types.setTypeParser(1, Number);']],
  ['await ready;', ['await ready;']],
  ["export const { open } = await import('./open.ts');", ["export const { open } = await import('./open.ts');"]],
  ['(window as Named).name = 1;', ['(window as Named).name = 1;']],
] as const)
  t.same(effectsIn(text), found, text);
