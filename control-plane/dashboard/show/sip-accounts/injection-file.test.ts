/** Injection files as SIPp reads them (src/infile.cpp, src/message.cpp of SIPp 3.7). */

import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { readAccounts, textOfFile } from './csv.ts';

/** `user password authName? {values}` of each account. */
const accountsIn = (text: string) =>
  readAccounts(text).accounts.map(({ username, password, authName, values }) => {
    const more = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    return [username, password, ...(authName === undefined ? [] : [`as ${authName}`]), ...more].join(' ');
  });
const faults = (text: string) => readAccounts(text).faults.map(({ line, message }) => `${line} ${message}`);

t.test('what SIPp reads is read, in the same way', async (t) => {
  const rows: [what: string, text: string, accounts: string[]][] = [
    [
      'comments are no lines',
      'SEQUENTIAL\n#written by hand, do not sort\nanna;pw-anna;9001\nbert;pw-bert;9002\n#spare:\ncarl;pw-carl;9003\n',
      ['anna pw-anna field2=9001', 'bert pw-bert field2=9002', 'carl pw-carl field2=9003'],
    ],
    [
      'the keyword is the log-in',
      'SEQUENTIAL\nanna;[authentication username=anna password=pw-anna];9001\nbert;[authentication username=bert-auth password=pw-bert];9002\n',
      ['anna pw-anna field2=9001', 'bert pw-bert as bert-auth field2=9002'],
    ],
    [
      'in any column: what stands in the second one is a value then',
      'RANDOM\n20000;pbx.example;[authentication username=20000 password=a1];9001\n',
      ['20000 a1 field1=pbx.example field3=9001'],
    ],
    ['even in the first one', 'USER\n[authentication username=a password=b];9001\n', ['a b field1=9001']],
    ['commas, tabs and quotation marks are text', 'USERS\n1001;"a,b\tc";x\n', ['1001 "a,b\tc" field2=x']],
    ['only a semicolon divides', 'SEQUENTIAL\n1001;a,b\n1002;c,d\n', ['1001 a,b', '1002 c,d']],
    ['spaces are text', 'SEQUENTIAL\n1001; p ; x \n', ['1001  p  field2= x ']],
    ['# within a line is text', 'SEQUENTIAL\n1001;p#1;#2\n', ['1001 p#1 field2=#2']],
    ['the word stands anywhere in the first line', '# in this order: SEQUENTIAL\n1001;p\n', ['1001 p']],
    ['with other columns that a spreadsheet made', 'SEQUENTIAL;;;\n1001;p;;\n', ['1001 p']],
    [
      'with the ends of lines of Windows, and a byte order mark',
      '\uFEFFSEQUENTIAL\r\n1001;p;x\r\n',
      ['1001 p field2=x'],
    ],
    ['there is no line of column names', 'SEQUENTIAL\nuser;password\n', ['user password']],
    [
      'parameters in quotation marks',
      'USER\n1;[authentication password="a b\\"c" username="x y"]\n',
      ['1 a b"c as x y'],
    ],
    ['any order of parameters', 'USER\n1;[authentication password=p=q username=1]\n', ['1 p=q']],
    ['an empty password', 'USER\n1;[authentication username=1 password=]\n', ['1 ']],
    ['other keywords in a field are text, as with SIPp', 'USER\n1;p;[call_number]\n', ['1 p field2=[call_number]']],
    ['a semicolon at the end is no field', 'SEQUENTIAL\n1001;p;\n', ['1001 p']],
    ['a password of `[` is one', 'SEQUENTIAL\n1001;[x]\n', ['1001 [x]']],
  ];
  for (const [what, text, accounts] of rows) {
    t.same(accountsIn(text), accounts, what);
    t.same(faults(text), [], `${what}: no fault`);
  }
});

t.test('CSV with such words is CSV', async (t) => {
  const rows: [text: string, accounts: string[]][] = [
    ['USER,PASSWORD\n1001,p\n', ['1001 p']],
    ['USERNAME;PIN\n1001;7\n', ['1001  PIN=7']],
    ['PASSWORD\tUSER\np\t1001\n', ['1001 p']],
    ['"SIP USER","USER"\nx,1001\n', ['1001  SIP USER=x']],
    ['1001,RANDOM\n1002,SEQUENTIAL\n', ['1001 RANDOM', '1002 SEQUENTIAL']],
    ['1001;xUSER1\n', ['1001 xUSER1']],
    ['sequential,p\n', ['sequential p']],
    ['USER1;pw1\nUSER2;pw2\n', ['USER1 pw1', 'USER2 pw2']],
    ['USER1,pw1\nUSER2,pw2\n', ['USER1 pw1', 'USER2 pw2']],
    ['USER1\tpw1\nUSER2\tpw2\n', ['USER1 pw1', 'USER2 pw2']],
    ['"USER1";"pw1"\n"USER2";"pw2"\n', ['USER1 pw1', 'USER2 pw2']],
    ['SUPERUSER;pw\nx;y\n', ['SUPERUSER pw', 'x y']],
    ['RANDOM1;pw\nx;y\n', ['RANDOM1 pw', 'x y']],
    ['SEQUENTIAL-1;pw\nx;y\n', ['SEQUENTIAL-1 pw', 'x y']],
    ['USER.1;pw\nx;y\n', ['USER.1 pw', 'x y']],
    ['USER_1;pw;SUPERUSER\nx;y\n', ['USER_1 pw field2=SUPERUSER', 'x y']],
    ['"1001";"RANDOM"\nx;y\n', ['1001 RANDOM', 'x y']],
    ['USER1;\nx;y\n', ['USER1 ', 'x y']],
  ];
  for (const [text, accounts] of rows) {
    t.same(accountsIn(text), accounts, JSON.stringify(text));
    t.same(faults(text), [], `${JSON.stringify(text)}: no fault`);
  }
});

t.test('a first line that SIPp and a spreadsheet read as different things is refused', async (t) => {
  const rows = [
    'RANDOM;PASSWORD;USERNAME\na;b;c\n',
    'SEQUENTIAL;secret\na;b\n',
    'RANDOM,secret\na,b\n',
    'SEQUENTIAL\tsecret\na\tb\n',
    '"RANDOM";"secret"\n"a";"b"\n',
    'My USER;secret\na;b\n',
  ];
  for (const text of rows) {
    t.same(accountsIn(text), [], JSON.stringify(text));
    t.match(faults(text), [/^1 .*nothing but SEQUENTIAL, RANDOM or USER/], JSON.stringify(text));
  }
  for (const first of ['SEQUENTIAL;;;', '"SEQUENTIAL";""', ';RANDOM;', 'USER;;', '# in order; SEQUENTIAL', ' USER '])
    t.same([accountsIn(`${first}\na;b\n`), faults(`${first}\na;b\n`)], [['a b'], []], first);
});

t.test('the keyword of SIPp is no password of a file of another kind', async (t) => {
  const keyword = '[authentication username=a password=b]';
  for (const text of [
    `username;password\nbert;${keyword}\ncarl;p\n`,
    `bert;${keyword}\ncarl;p\n`,
    `bert,${keyword}\ncarl,p\n`,
    `bert;p;${keyword}\ncarl;p\n`,
    `${keyword};9001\ncarl;p\n`,
    `bert;"${keyword}"\ncarl;p\n`,
    'bert;[authentication]\ncarl;p\n',
  ]) {
    t.same(accountsIn(text), ['carl p'], JSON.stringify(text));
    t.match(faults(text), [/^[12] .*is SIPp's keyword: begin the file with SEQUENTIAL/], JSON.stringify(text));
    t.equal(faults(text).length, 1);
  }
});

t.test('what cannot be taken is refused by name, and the other lines are read', async (t) => {
  const keyword = (parameters: string) => `SEQUENTIAL\n1;[authentication${parameters}];x\n2;p\n`;
  const rows: [text: string, fault: RegExp][] = [
    [keyword(''), /^2 .*names no username, which SIPp takes from -au/],
    [keyword(' username=1'), /^2 .*names no password, which SIPp takes from -ap/],
    [keyword(' password=p'), /^2 .*names no username/],
    [keyword(' username=1 password=p aka_K=0x01'), /^2 .*AKA \(aka_K\) is not supported/],
    [keyword(' username=1 passwd=p'), /^2 .*the parameter passwd is not known/],
    [keyword(' username=[field0] password=p'), /^2 .*(keyword inside|field of its own)/],
    [keyword(' username=1 password=0x414243'), /^2 .*hexadecimal/],
    [keyword(' username=1 password=pässe'), /^2 .*outside of ASCII/],
    [keyword(' username=1 password="p'), /^2 .*is not read/],
    [keyword(' username=1,password=p'), /^2 .*names no password/],
    ['SEQUENTIAL\n1;[authentication username=1 password=a;b]\n2;p\n', /^2 .*not closed/],
    ['SEQUENTIAL\n1;x[authentication username=1 password=a]\n2;p\n', /^2 .*a field of its own/],
    [
      'SEQUENTIAL\n1;[authentication username=1 password=a];[authentication username=1 password=b]\n2;p\n',
      /^2 SIPp takes one/,
    ],
    ['SEQUENTIAL\n1\n2;p\n', /^2 has no password/],
    ['SEQUENTIAL\n;p\n2;p\n', /^2 has no user name/],
    ['SEQUENTIAL\n 1;p\n2;p\n', /^2 a user name has no spaces/],
    ['SEQUENTIAL\n #1;p\n2;p\n', /^2 a user name has no spaces/],
    ['SEQUENTIAL\n"1";p\n2;p\n', /^2 a user name has no .*quotes/],
    ['SEQUENTIAL\n2;p\n\n# more\n3;p\n4;p\n', /^5 SIPp reads no line after the empty line 3/],
  ];
  for (const [text, fault] of rows) {
    t.match(faults(text), [fault], JSON.stringify(text));
    t.equal(faults(text).length, 1);
    t.same(accountsIn(text), ['2 p'], 'the rest is read');
  }
  for (const first of ['SEQUENTIAL,PRINTF=9', 'USER,PRINTF=9,PRINTFOFFSET=5', 'PRINTF=3,RANDOM']) {
    t.same([accountsIn(`${first}\n1%03d;p\n`), faults(`${first}\n1%03d;p\n`).length], [[], 1], first);
  }
});

t.test('any fields come back as they stand between their semicolons', async (t) => {
  const field = fc.string({ minLength: 1, maxLength: 12 }).filter((s) => !/[;\r\n]|\[authentication/.test(s));
  const user = fc.stringMatching(/^[a-z0-9.]{1,10}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(user, field, field), { selector: ([name]) => name, minLength: 1, maxLength: 20 }),
      fc.constantFrom('SEQUENTIAL', 'RANDOM', 'USER'),
      (rows, first) => {
        const read = readAccounts(`${first}\n${rows.map((row) => row.join(';')).join('\n')}\n`);
        t.same(read.faults, []);
        const seen = read.accounts.map((a) => [a.username, a.password, a.values['field2']]);
        t.same(seen, rows);
      },
    ),
    { numRuns: 100 },
  );
});

t.test('files in other codings', async (t) => {
  const line = '1001;pässe\n';
  const read = (bytes: Uint8Array) => textOfFile(Uint8Array.from(bytes).buffer);
  const wide = Buffer.from(`\ufeff${line}`, 'utf16le');
  t.equal(read(Buffer.from(line)), line, 'UTF-8');
  t.equal(read(wide), line, 'UTF-16, as spreadsheets write it');
  t.equal(read(Buffer.from(wide).swap16()), line, 'the other way round');
  t.equal(read(Buffer.from(line, 'latin1')), null, 'Latin-1');
  t.equal(read(new Uint8Array()), '');
  t.same(
    readAccounts('sep=;\r\nusername;password\r\n1;p\r\n').accounts.map((one) => [one.username, one.password, one.line]),
    [['1', 'p', 3]],
    'the separator is no account',
  );
});
