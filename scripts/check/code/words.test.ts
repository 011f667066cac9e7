/** Comments above a declaration that is not theirs. */
import t from 'tap';
import { misplacedIn } from './words.ts';

const linesOf = (code: string): readonly string[] => misplacedIn('file.ts', code).map((line) => line.split(' ')[0]!);

t.test('two comments in a row are found, but not the first of a file above that of a declaration', async (t) => {
  t.same(linesOf('/** `1 call` */\n/** A list. */\nconst a = 1;\n'), ['file.ts:1']);
  t.same(linesOf('/** Figures. */\n\n/** A list. */\nconst a = 1;\n'), []);
});

t.test('true and false are explained only above what returns them', async (t) => {
  const above = (code: string) => linesOf(`const first = 1;\n/** True: it is there. */\n${code}\n`);
  for (const code of [
    'const forget = () => {',
    '  hold(isHeld: boolean): void {',
    'export function put(\n  isNew: boolean,\n): string {',
    'export const put = async (isNew: boolean): Promise<void> => {',
  ])
    t.same(above(code), ['file.ts:2'], code);
  for (const code of [
    'const isThere = (id: string): boolean => ids.has(id);',
    '  #send(row: number, write: (at: number) => number): boolean {',
    'export const put = async (\n  tx: Tx,\n): Promise<boolean> =>\n  true;',
    'export function useMay(id?: string): (role: Role) => boolean {',
    'const isName = (text: string): text is Name => NAMES.has(text);',
    '  readonly isThere: boolean;',
  ])
    t.same(above(code), [], code);
});
