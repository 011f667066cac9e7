import { plain } from '@carillon/proto/base/plain-text.ts';
import t from 'tap';
import { painter } from '../io.ts';
import { shortened, table, wrapped } from './table.ts';

const none = painter({ write: () => true }, {});

t.test('columns fit, the widest gives way', async (t) => {
  const lines = table(
    [{ title: 'name' }, { title: 'n', align: 'right' }],
    [
      ['a'.repeat(50), '1'],
      ['b', '1000'],
    ],
    30,
    none,
  );
  t.same(lines, [
    `name${' '.repeat(25)}n`.replace(/ {2}n$/, '  n'),
    `${'a'.repeat(23)}…     1`,
    `b${' '.repeat(25)}1000`,
  ]);
  t.ok(lines.every((line) => line.length <= 30));
  t.same(
    table([{ title: 'x' }, { title: 'y' }], [['日本', 'z']], 80, none),
    ['x     y', '日本  z'],
    'as wide as a terminal shows them',
  );
});

t.test('texts of strangers', async (t) => {
  t.equal(plain('a\x1b[2Jb\r\nc\u202ed'), 'a\u{fffd}[2Jb\u{fffd}\u{fffd}c\u{fffd}d');
  t.equal(table([{ title: 'x' }], [['\x1b]0;title\x07']], 80, none)[1], '\u{fffd}]0;title\u{fffd}');
});

t.test('colours', async (t) => {
  t.equal(none('red', 'x'), 'x', 'none in a pipe');
  const terminal = { write: () => true, isTTY: true };
  t.equal(painter(terminal, {})('red', 'x'), '\x1b[31mx\x1b[39m');
  t.equal(painter(terminal, { NO_COLOR: '1' })('red', 'x'), 'x');
  t.equal(painter(terminal, { TERM: 'dumb' })('red', 'x'), 'x');
  t.equal(painter({ write: () => true }, { FORCE_COLOR: '1' })('red', 'x'), '\x1b[31mx\x1b[39m');
});

t.test('shortened and wrapped', async (t) => {
  t.equal(shortened('abcdef', 4), 'abc…');
  t.equal(shortened('👨‍👩‍👧👨‍👩‍👧', 3), '👨‍👩‍👧…', 'whole characters');
  t.same(wrapped('  one two three', 9), ['  one two', '  three']);
  t.same(wrapped('', 9), ['']);
  t.same(wrapped('averylongword x', 5), ['averylongword', 'x']);
});
