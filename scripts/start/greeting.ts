/** What `npm start` prints on a terminal, in place of the log: what runs, where it runs, and what to do next. Pure. */

export type StartGreeting = {
  readonly url: string;
  /** Null: accounts exist already. */
  readonly setupLink: string | null;
  /** Null: DATABASE_URL names a database. */
  readonly dataDir: string | null;
  /** Null: the keys are in the environment. */
  readonly keysFile: string | null;
  readonly hasAgent: boolean;
  readonly logFile: string;
};

/** The width of labels and texts. On narrower terminals the text is below its label. */
const NARROW = 64;
const LABEL = 13;

export const startingLine = (hasAgent: boolean, isNew: boolean): string =>
  `Starting PostgreSQL, the control plane${hasAgent ? ' and an agent' : ''} ...${isNew ? ' The first start creates a database: about half a minute.' : ''}`;

export function greetingLines(of: StartGreeting, columns: number): string[] {
  const account = of.setupLink
    ? `No account exists yet. Create the owner's account here; the link works once: ${of.setupLink}`
    : `Log in with your account. Lost password: npm run account -- reset EMAIL`;
  const agent = of.hasAgent
    ? 'One agent runs on this host, for every organization. For other hosts: Workers, Enroll.'
    : 'None on this host: start with "npm start -- --agent", or enroll one: Workers, Enroll.';
  const where = of.dataDir === null ? 'The database that DATABASE_URL names.' : `${of.dataDir} (the database).`;
  const keys = of.keysFile === null ? '' : ` Keys that seal secrets: ${of.keysFile}. Back up both: npm run backup`;
  const rows: readonly (readonly [string, string])[] = [
    ['Dashboard', of.url],
    ['Account', account],
    ['Agents', agent],
    ['Data', `${where}${keys}`],
    ['Guide', `${of.url}/docs/guide/get-started`],
    ['Log', of.logFile],
    ['Stop', 'Ctrl-C: calls end first, the database last.'],
  ];
  return ['', 'Carillon is running.', '', ...rows.flatMap(([label, text]) => row(label, text, columns))];
}

function row(label: string, text: string, columns: number): string[] {
  if (columns < NARROW) return [label, ...wrap(text, columns - 2).map((line) => `  ${line}`)];
  return wrap(text, columns - LABEL).map((line, i) => `${(i === 0 ? label : '').padEnd(LABEL)}${line}`);
}

/** A word that is longer than a line, such as a link, has a line of its own and is not broken. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
