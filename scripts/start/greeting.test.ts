import t from 'tap';
import { greetingLines, type StartGreeting, wrap } from './greeting.ts';

const LINK = `http://127.0.0.1:8080/set-up#${'a'.repeat(43)}`;
const FIRST: StartGreeting = {
  url: 'http://127.0.0.1:8080',
  setupLink: LINK,
  dataDir: '/srv/carillon/data',
  keysFile: '/srv/carillon/data.keys',
  hasAgent: true,
  logFile: '/srv/carillon/data/carillon.log',
};

t.test('lines keep within the terminal, and links stay whole', async (t) => {
  for (const columns of [40, 63, 64, 80, 200]) {
    const lines = greetingLines(FIRST, columns);
    t.ok(
      lines.some((line) => line.endsWith(LINK)),
      `${columns} columns`,
    );
    t.same(
      lines.filter((line) => line.length > columns && !line.includes('http://')),
      [],
      `${columns} columns`,
    );
  }
});

t.test('it says how to get in, where data are and what to do next', async (t) => {
  const first = greetingLines(FIRST, 200).join('\n');
  t.match(first, /No account exists yet.*\nAgents +One agent runs/);
  t.match(first, /data .*\/srv\/carillon\/data\.keys/);
  const later = greetingLines({ ...FIRST, setupLink: null, hasAgent: false, dataDir: null, keysFile: null }, 200);
  t.match(later.join('\n'), /Log in with your account.*\nAgents +None on this host/);
  t.match(later.join('\n'), 'DATABASE_URL');
});

t.test('wrap', async (t) => {
  t.same(wrap('one two three', 7), ['one two', 'three']);
  t.same(wrap('a averylongword b', 5), ['a', 'averylongword', 'b']);
});
