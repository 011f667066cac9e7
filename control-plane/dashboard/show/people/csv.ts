/**
 * SIP accounts from CSV (RFC 4180): comma, semicolon or tab; quoted fields may hold all of them, and line breaks. Every line that
 * is none is told with its number: nothing is lost unseen. Pure.
 */

export type CsvAccount = { readonly line: number; readonly username: string; readonly password: string };
export type CsvFault = { readonly line: number; readonly text: string; readonly message: string };
export type CsvAccounts = { readonly accounts: readonly CsvAccount[]; readonly faults: readonly CsvFault[] };

type Row = { readonly line: number; readonly fields: readonly string[]; readonly fault: string | null };

const SEPARATORS = [',', ';', '\t'];

/** The one that stands in the first line, outside of quotes. */
const separatorOf = (text: string): string => {
  const bare = (text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '').replace(/"[^"]*"/g, '');
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
          // Only the rest of the line: what follows is not swallowed.
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

const NAMES = /^(user ?name|user|account|login|extension)$/i;

/** A first line that names its columns is left out, and says which column is which. */
export function readAccounts(text: string): CsvAccounts {
  const rows = rowsOf(text.replace(/^\uFEFF/, ''), separatorOf(text)).filter((r) => r.fault || r.fields.some((f) => f));
  const head = rows[0]?.fields ?? [];
  const named = head.findIndex((field) => NAMES.test(field));
  const hasHead = named !== -1 && rows[0]?.fault === null;
  const passwordAt = hasHead ? head.findIndex((field) => /^(password|secret|pass)$/i.test(field)) : 1;
  const userAt = hasHead ? named : 0;
  const seen = new Map<string, number>();
  const accounts: CsvAccount[] = [];
  const faults: CsvFault[] = [];
  for (const { line, fields, fault } of hasHead ? rows.slice(1) : rows) {
    const username = fields[userAt] ?? '';
    const said = (message: string) => faults.push({ line, text: username, message });
    const first = seen.get(username);
    if (fault) said(fault);
    else if (username === '') said('has no user name');
    else if (fields.length <= passwordAt || passwordAt === -1) said('has no password: user name, comma, password');
    else if (first !== undefined) said(`${username} stands in line ${first}, too`);
    else if (/[\s@<>"]/.test(username)) said('a user name has no spaces, @, <, > and quotes');
    else if (username.length > 128) said('a user name has at most 128 characters');
    else if ((fields[passwordAt] as string).length > 256) said('a password has at most 256 characters');
    else {
      seen.set(username, line);
      accounts.push({ line, username, password: fields[passwordAt] as string });
    }
  }
  return { accounts, faults };
}
