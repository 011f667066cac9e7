/**
 * SIP accounts from an injection file of SIPp (-inf), as SIPp reads it. The first line states the order, `;` separates fields,
 * nothing is quoted, nothing is trimmed, `#` at the start of a line begins a comment, and an empty line is the end.
 * `[authentication username=… password=…]` in a field has the credentials of its line. Pure.
 */
import { type AccountLine, type CsvFault, NO_USER_NAME } from './account-line.ts';

/** The words that SIPp looks for, anywhere in the first line. */
const ORDER = /SEQUENTIAL|RANDOM|USER/;
const OWN_WORD = /(?<![^\s:"#])(SEQUENTIAL|RANDOM|USER)(?![^\s:"])/;

export type InjectionKind = 'CSV' | 'SIPP' | 'UNCLEAR';

/**
 * The kind of a file, from its first line. Beside other fields, the order has to be a word of its own: `USER1;secret` and
 * `1001;RANDOM` are accounts, and `USER,PASSWORD` names columns. UNCLEAR: SIPp and a spreadsheet would read the file differently.
 * `namesUser`: one of its fields is a name of the column of user names.
 */
export function kindOf(first: string, namesUser: boolean): InjectionKind {
  if (!ORDER.test(first)) return 'CSV';
  if (/PRINTF/.test(first)) return 'SIPP';
  const fields = first.split(/[,;\t]/).map((field) => field.replaceAll('"', '').trim());
  const filled = fields.filter((field) => field !== '');
  const [head = ''] = filled;
  if (filled.length === 1 && namesUser) return head === 'USER' ? 'SIPP' : 'CSV';
  if (fields.length === 1 || first.trimStart().startsWith('#')) return 'SIPP';
  if (!filled.some((field) => OWN_WORD.test(field))) return 'CSV';
  if (filled.length === 1) return 'SIPP';
  if (/^(SEQUENTIAL|RANDOM)$/.test(head)) return 'UNCLEAR';
  return namesUser || !/\s/.test(head) ? 'CSV' : 'UNCLEAR';
}

/** Why nothing of a file is read; null: the file is read. */
export function firstLineFault(first: string, kind: InjectionKind): CsvFault | null {
  const fault = (message: string) => ({ line: 1, text: '', message });
  if (kind === 'UNCLEAR')
    return fault(
      "has a word of SIPp's beside other fields: write nothing but SEQUENTIAL, RANDOM or USER into the first line; of other files, name the columns there: username;password",
    );
  return kind === 'SIPP' && /PRINTF/.test(first)
    ? fault('PRINTF: SIPp makes rows of such a file; write the rows out')
    : null;
}

export function injectionLines(text: string): AccountLine[] {
  const rows = text.split('\n').map((row) => row.replace(/\r$/, ''));
  const start = rows.findIndex((row) => row.trim() !== '') + 1;
  const lines: AccountLine[] = [];
  for (let i = start; i < rows.length; i++) {
    const row = rows[i] as string;
    if (row === '') return [...lines, ...unread(rows, i)];
    if (!row.startsWith('#')) lines.push(lineOf(row, i + 1));
  }
  return lines;
}

/** SIPp does not read what follows an empty line, so such lines would have different meanings here and there. */
function unread(rows: readonly string[], empty: number): AccountLine[] {
  const next = rows.findIndex((row, i) => i > empty && row !== '' && !row.startsWith('#'));
  if (next === -1) return [];
  const fault = `SIPp reads no line after the empty line ${empty + 1}: remove the empty line, or what follows it`;
  return [{ line: next + 1, account: { username: '', values: {} }, fault }];
}

function lineOf(row: string, line: number): AccountLine {
  const fields = row.split(';');
  const keywords = fields.flatMap((field, i) => (field.includes(KEYWORD) ? [i] : []));
  const at = keywords[0] ?? null;
  const login = at === null ? null : loginOf(fields[at] as string);
  const username = at === 0 ? (login?.username ?? '') : (fields[0] as string);
  const values: Record<string, string> = {};
  fields.forEach((field, i) => {
    if (i > 0 && i !== (at ?? 1) && field !== '') values[`field${i}`] = field;
  });
  const password = at === null ? fields[1] : login?.password;
  const account = {
    username,
    values,
    ...(password === undefined ? {} : { password }),
    ...(login === null || login.username === undefined || login.username === username
      ? {}
      : { authName: login.username }),
  };
  const missing = username === '' ? NO_USER_NAME : 'has no password: user name, semicolon, password';
  const ownFault = keywords.length > 1 ? `SIPp takes one ${KEYWORD}] in a line` : (login?.fault ?? null);
  return { line, account, fault: ownFault ?? (username === '' || password === undefined ? missing : null) };
}

const KEYWORD = '[authentication';

export const hasKeyword = (field: string): boolean => /\[authentication(?=[\s\]]|$)/.test(field);

type Login = { readonly username?: string; readonly password?: string; readonly fault: string | null };

/** SIPp takes missing values from its command line (-au, -ap), which is not available here. */
function loginOf(field: string): Login {
  const inside = /\[authentication(\s[^\]]*)?\](.*)$/.exec(field);
  if (inside === null) return { fault: `${KEYWORD} …] is not closed: it ends before the first semicolon` };
  if (!field.startsWith(KEYWORD) || inside[2] !== '') return { fault: `${KEYWORD} …] has to be a field of its own` };
  const found = new Map<string, string>();
  let rest = (inside[1] ?? '').trim();
  while (rest !== '') {
    const parameter = PARAMETER.exec(rest);
    if (parameter === null) return { fault: `${KEYWORD} …]: "${rest}" is not read: write name=value, or name="value"` };
    const [all, name = '', quoted, bare = ''] = parameter;
    const fault = parameterFault(name, quoted, bare);
    if (fault !== null) return { fault };
    found.set(name, quoted?.replace(/\\(.)/g, '$1') ?? bare);
    rest = rest.slice(all.length).trimStart();
  }
  const [username, password] = [found.get('username'), found.get('password')];
  if (username === undefined || username === '')
    return { fault: `${KEYWORD} …] names no username, which SIPp takes from -au` };
  if (password === undefined) return { fault: `${KEYWORD} …] names no password, which SIPp takes from -ap` };
  return { username, password, fault: null };
}

const PARAMETER = /^(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]\S*|))(?=\s|$)/;

function parameterFault(name: string, quoted: string | undefined, bare: string): string | null {
  if (name.startsWith('aka_')) return `${KEYWORD} …]: AKA (${name}) is not supported: use a user name and a password`;
  if (name !== 'username' && name !== 'password') return `${KEYWORD} …]: the parameter ${name} is not known`;
  if (quoted !== undefined) return null;
  if (bare.startsWith('0x')) return `${KEYWORD} …]: SIPp reads ${name}=0x… as hexadecimal: write it in quotation marks`;
  if (bare.includes('[')) return `${KEYWORD} …]: write the ${name} out: a keyword inside another one is not read`;
  // SIPp ends an unquoted value at the first character that is not from 33 to 126.
  if (/[^\x21-\x7e]/.test(bare))
    return `${KEYWORD} …]: SIPp cuts the ${name} at its first character outside of ASCII: write it in quotation marks`;
  return null;
}
