/** The account in a line of a file, and the rules for it. Pure. */

export type Account = Pick<AccountColumns, 'username' | 'values'> &
  Partial<Record<Exclude<keyof AccountColumns, 'values'>, string>>;
type AccountColumns = {
  readonly username: string;
  readonly password: string;
  readonly ha1: string;
  readonly authName: string;
  readonly displayName: string;
  readonly number: string;
  readonly values: Readonly<Record<string, string>>;
};
export type CsvAccount = Account & { readonly line: number };
export type CsvFault = { readonly line: number; readonly text: string; readonly message: string };
export type CsvAccounts = { readonly accounts: readonly CsvAccount[]; readonly faults: readonly CsvFault[] };

/** One line of a file; `fault` null: its text shows no fault. */
export type AccountLine = { readonly line: number; readonly account: Account; readonly fault: string | null };

/** Every invalid line is reported with its number, and so is each account that was already listed. */
export function accountsOf(lines: readonly AccountLine[]): CsvAccounts {
  const seen = new Map<string, number>();
  const accounts: CsvAccount[] = [];
  const faults: CsvFault[] = [];
  for (const { line, account, fault } of lines) {
    const { username } = account;
    const first = seen.get(username);
    const again = first === undefined ? null : `${username} is already in line ${first}`;
    const message = fault ?? again ?? faultOf(account);
    if (message !== null) faults.push({ line, text: username, message });
    else {
      seen.set(username, line);
      accounts.push({ line, ...account });
    }
  }
  return { accounts, faults };
}

export const NO_USER_NAME = 'has no user name';

function faultOf({ username, password, values }: Account): string | null {
  if (username === '') return NO_USER_NAME;
  if (/[\s@<>"]/.test(username)) return 'a user name has no spaces, @, <, > and quotes';
  if (username.length > 128) return 'a user name has at most 128 characters';
  if ((password ?? '').length > 256) return 'a password has at most 256 characters';
  const strange = Object.keys(values).find((name) => !/^\p{L}[\p{L}\p{N}_ -]{0,63}$/u.test(name));
  if (strange !== undefined) return `the column "${strange}" needs a name that begins with a letter`;
  return null;
}
