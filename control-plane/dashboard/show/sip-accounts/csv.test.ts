/** Accounts from CSV: every line is an account or a fault. */
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { readAccounts } from './csv.ts';

t.test('every line of a CSV file is an account or a fault', async (t) => {
  const field = fc.string({ minLength: 1, maxLength: 12 }).filter((s) => s.trim() === s && !s.includes('\r'));
  const user = fc.stringMatching(/^[a-z0-9.]{1,10}$/).filter((s) => !/^(user|login|account|extension)$/.test(s));
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ user, password: field }), { selector: (r) => r.user, maxLength: 20 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      (rows, separator, end) => {
        const text = rows.map((r) => `${quoted(r.user)}${separator}${quoted(r.password)}${end}`).join('');
        const read = readAccounts(text);
        t.same(read.faults, []);
        t.same(
          read.accounts.map((a) => [a.username, a.password]),
          rows.map((r) => [r.user, r.password]),
        );
      },
    ),
    { numRuns: 50 },
  );
  const told = (text: string) => readAccounts(text).faults.map((f) => f.line);
  const cases: [string, number, number[]][] = [
    ['1001,a\n1002,b', 2, []],
    ['\uFEFFUsername,Password\n1001,a', 1, []],
    ['password;user\nx;1001', 1, []],
    ['1001,a\n\n1001,b\n', 1, [3]],
    ['1001,"a\n1002,b', 1, [1]],
    ['1001,"a"x\n1002,b', 1, [1]],
    ['1001,"two\nlines"\n1002', 1, [3]],
    [',a\n10 01,b', 0, [1, 2]],
    ['', 0, []],
  ];
  for (const [text, accounts, faults] of cases) {
    t.equal(readAccounts(text).accounts.length, accounts, JSON.stringify(text));
    t.same(told(text), faults, JSON.stringify(text));
  }
});

t.test('columns of a CSV file are what its first line names, and the others are values', async (t) => {
  const [first, second] = readAccounts(
    'Auth Name;user;Caller ID;display name;the pin;ha1;empty\na1;1001;+49;Zoë;"4;7";0123456789abcdef0123456789abcdef;\n;1002;;;;;x\n',
  ).accounts;
  const ha1 = '0123456789abcdef0123456789abcdef';
  const whole = {
    username: '1001',
    authName: 'a1',
    number: '+49',
    displayName: 'Zoë',
    ha1,
    values: { 'the pin': '4;7' },
  };
  t.same(first, { line: 2, ...whole });
  t.same(second, { line: 3, username: '1002', values: { empty: 'x' } }, 'what is empty is not there');
  t.same(readAccounts('SEQUENTIAL\n1001;p;+49;12\n').accounts, [
    { line: 2, username: '1001', password: 'p', values: { field2: '+49', field3: '12' } },
  ]);
  const faults = (text: string) => readAccounts(text).faults.map(({ line, message }) => `${line} ${message}`);
  t.match(faults('user,password,9th\n1001,p,x'), [/2 the column "9th" needs a name/]);
  t.match(faults('user,pin\n1001,1,2'), [/2 has 3 fields, but the first line names 2/]);
  t.match(faults('user,password,pin\n1001'), [/2 has no password/]);
  t.same(faults('user,pin\n1001,1'), [], 'over a trunk a password is not always needed');
  t.same(faults('user,password,number,Caller ID\n1001,p,+1,+2'), [
    '1 "number" and "Caller ID" are both the number: leave one out',
  ]);
  t.same(faults('user,password,pin,pin\n1001,p,1,2'), ['1 two columns are called "pin": give each a different name']);
  t.same(readAccounts('user,password,pin,pin\n1001,p,1,2').accounts, [], 'of which column is not guessed');
  t.same(readAccounts('user,password,,\n1001,p,,\n').accounts.length, 1, 'columns without name and content are none');
  t.match(faults('user,password,__proto__\n1001,p,x'), [/2 the column "__proto__" needs a name/]);
  t.equal(
    readAccounts('\uFEFFSEQUENTIAL\n1001;p;+49\n').accounts[0]?.username,
    '1001',
    'SIPp, by way of a spreadsheet',
  );
  t.match(faults('SEQUENTIAL,PRINTF=9\n1%03d;p\n'), [/1 PRINTF: SIPp makes rows of such a file/]);
  t.same(
    readAccounts('user,password\r1001,p\r1002,q\r').accounts.map((a) => a.username),
    ['1001', '1002'],
    'lines may end with CR',
  );
});
