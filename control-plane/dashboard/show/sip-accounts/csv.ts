/**
 * SIP accounts from CSV (RFC 4180), separated by comma, semicolon or tab. Quoted fields may contain separators and line breaks.
 * Injection files of SIPp have rules of their own (injection-file.ts). Every invalid line is reported with its number. Pure.
 */
import {
  type Account,
  type AccountLine,
  accountsOf,
  type CsvAccounts,
  type CsvFault,
  NO_USER_NAME,
} from './account-line.ts';
import { firstLineFault, hasKeyword, injectionLines, kindOf } from './injection-file.ts';

type Row = { readonly line: number; readonly fields: readonly string[]; readonly fault: string | null };

const SEPARATORS = [',', ';', '\t'];

/** The separator found in the first line, outside of quotes. */
const separatorOf = (first: string): string => {
  const bare = first.replace(/"[^"]*"/g, '');
  return SEPARATORS.find((s) => bare.includes(s)) ?? ',';
};

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the text, whose place and line all branches move
function rowsOf(text: string, separator: string): Row[] {
  const rows: Row[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const began = line;
    const fields: string[] = [];
    let fault: string | null = null;
    for (;;) {
      let field = '';
      if (text[at] === '"') {
        const close = /^"((?:[^"]|"")*)"/.exec(text.slice(at));
        if (!close) {
          // Only the rest of this line is skipped, so that the following lines are read.
          const end = text.slice(at).search(/\r?\n/);
          field = end === -1 ? text.slice(at) : text.slice(at, at + end);
          fault = 'a quotation mark is not closed';
          at += field.length;
        } else {
          at += close[0].length;
          line += close[0].split('\n').length - 1;
          field = (close[1] as string).replaceAll('""', '"');
          const after = /^[^\r\n]/.exec(text.slice(at))?.[0];
          if (after !== undefined && after !== separator) {
            fault = 'something follows the closing quotation mark';
            at += text.slice(at).search(/\r?\n|$/);
          }
        }
      } else {
        while (at < text.length && text[at] !== separator && text[at] !== '\n') field += text[at++];
        field = field.replace(/\r$/, '').trim();
      }
      fields.push(field);
      if (text[at] !== separator) break;
      at++;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    line++;
    rows.push({ line: began, fields, fault });
  }
  return rows;
}

type Known = Exclude<keyof Account, 'values'>;
/** Any other column in a header line becomes a custom value of the account. */
const NAMES: readonly (readonly [Known, RegExp])[] = [
  ['username', /^(user[ _-]?name|user|account|login|extension)$/i],
  ['password', /^(password|secret|pass)$/i],
  ['ha1', /^ha1$/i],
  ['authName', /^auth(entication)?[ _-]?(name|id|user([ _-]?name)?)$/i],
  ['displayName', /^(display|caller)[ _-]?name$/i],
  ['number', /^(number|caller[ _-]?(number|id)|phone([ _-]?number)?|ddi|did)$/i],
];

type Column = { readonly known: Known | null; readonly name: string };
const columnOf = (name: string): Column => ({ known: NAMES.find(([, is]) => is.test(name))?.[0] ?? null, name });
/** The names of unnamed columns are numbered as in SIPp. */
const unnamed = (i: number): Column =>
  i === 0 ? columnOf('username') : i === 1 ? columnOf('password') : { known: null, name: `field${i}` };

/** A first line that names the columns is left out of the accounts. It defines what each column is. */
export function readAccounts(text: string): CsvAccounts {
  const plain = plainText(text);
  const first = firstLine(plain);
  const separator = separatorOf(first);
  const head = (rowsOf(first, separator)[0]?.fields ?? []).map(columnOf);
  const hasUser = head.some(({ known }) => known === 'username');
  const kind = kindOf(first, hasUser);
  const unread = firstLineFault(first, kind);
  if (unread !== null) return { accounts: [], faults: [unread] };
  if (kind === 'SIPP') return accountsOf(injectionLines(plain));
  const rows = rowsOf(plain, separator).filter((r) => r.fault || r.fields.some((f) => f));
  const hasHead = hasUser && rows[0]?.fault === null;
  const unusable = hasHead ? headFault(head, rows[0]?.line ?? 1) : null;
  if (unusable !== null) return { accounts: [], faults: [unusable] };
  return accountsOf((hasHead ? rows.slice(1) : rows).map((row) => lineOf(row, hasHead ? head : null)));
}

const firstLine = (text: string): string => text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';

/** Reads UTF-8, or UTF-16 with its byte order mark; null: another encoding, in which passwords would be misread. */
export function textOfFile(bytes: ArrayBuffer): string | null {
  const [first = 0, second = 0] = new Uint8Array(bytes.slice(0, 2));
  const mark = (first << 8) | second;
  const coding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(coding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Spreadsheets write their separator as a first line. */
const SEPARATOR_LINE = /^"?sep=.{0,2}"?\r?\n/i;

/**
 * Removes the byte order mark. In files whose lines end with CR only, as some spreadsheets write them, CR becomes a line feed.
 */
const plainText = (text: string): string => {
  const bare = text.replace(/^\uFEFF/, '').replace(SEPARATOR_LINE, '\n');
  return bare.includes('\n') ? bare : bare.replaceAll('\r', '\n');
};

/** If two columns have the same meaning, the file does not show which one is intended. */
function headFault(head: readonly Column[], line: number): CsvFault | null {
  const before = new Map<string, string>();
  for (const { known, name } of head) {
    if (known === null && name === '') continue;
    const key = known ?? `value ${name}`;
    const other = before.get(key);
    if (other !== undefined) return { line, text: name, message: sameColumns(known, other, name) };
    before.set(key, name);
  }
  return null;
}

const sameColumns = (known: Known | null, one: string, other: string): string =>
  known === null || one === other
    ? `two columns are called "${other}": give each a different name`
    : `"${one}" and "${other}" are both the ${known}: leave one out`;

/** An empty field means no value, except for a password. */
function accountOf(fields: readonly string[], columns: readonly Column[]): Account {
  const account: { username: string; values: Record<string, string> } & Partial<Record<Known, string>> = {
    username: '',
    // Any name is allowed, including `__proto__`.
    values: Object.create(null),
  };
  columns.forEach(({ known, name }, i) => {
    const field = fields[i];
    if (field === undefined || (field === '' && known !== 'password')) return;
    if (known === null) account.values[name] = field;
    else account[known] = field;
  });
  return account;
}

/** `head` null: the first line does not name columns. */
function lineOf({ line, fields, fault }: Row, head: readonly Column[] | null): AccountLine {
  const account = accountOf(fields, head ?? fields.map((_, i) => unnamed(i)));
  return { line, account, fault: fault ?? rowFault(account, fields, head) };
}

function rowFault({ username, password, ha1 }: Account, fields: readonly string[], head: readonly Column[] | null) {
  if (fields.some(hasKeyword))
    return "[authentication …] is SIPp's keyword: begin the file with SEQUENTIAL, or write user name and password as fields";
  if (username === '') return NO_USER_NAME;
  const isAsked = head === null || head.some(({ known }) => known === 'password');
  if (isAsked && password === undefined && ha1 === undefined) return 'has no password: user name, comma, password';
  if (head !== null && fields.length > head.length)
    return `has ${fields.length} fields, but the first line names ${head.length}`;
  return null;
}
