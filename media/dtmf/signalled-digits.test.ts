import t from 'tap';
import { DIGIT_COLUMNS, noteSignalled, receivedDigits } from './receive-digits.ts';
import { signalledBody, signalledDigit } from './signalled-digits.ts';

t.test('keys in INFO', (t) => {
  const rows: [string, string, string | null, number | null][] = [
    ['application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n', '5', 160],
    ['application/dtmf-relay', 'Signal= #\nDuration= 250', '#', 250],
    ['application/dtmf-relay', 'signal=a', 'A', null],
    ['application/dtmf-relay', 'Signal=10\r\nDuration=160\r\n', '*', 160],
    ['application/dtmf-relay', 'Signal=11', '#', null],
    ['application/dtmf-relay', 'Signal=15', 'D', null],
    ['application/dtmf-relay', 'Signal=16', null, null],
    ['application/dtmf-relay', '5', null, null],
    ['application/dtmf-relay', '', null, null],
    ['application/dtmf-relay', 'Signal=\r\n5', null, null],
    ['application/dtmf', '7', '7', null],
    ['application/dtmf', ' * \r\n', '*', null],
    ['application/dtmf', 'Signal=3\r\nDuration=99', '3', 99],
    ['application/dtmf', '55', null, null],
    ['text/plain', 'Signal=5', null, null],
  ];
  for (const [type, body, digit, durationMs] of rows) {
    const expected = digit === null ? null : { digit, durationMs };
    t.same(signalledDigit(type, body), expected, JSON.stringify([type, body]));
  }
  for (const digit of '0123456789*#ABCD')
    t.same(signalledDigit('application/dtmf-relay', signalledBody(digit, 160)), { digit, durationMs: 160 });
  t.end();
});

t.test('they count like digits of RFC 4733', (t) => {
  const columns = Object.fromEntries(Object.keys(DIGIT_COLUMNS).map((name) => [name, new Uint32Array(64)])) as never;
  noteSignalled(columns, 0, 5, 1280);
  noteSignalled(columns, 0, 10, 0);
  t.same(receivedDigits(columns, 0, 8), [
    { digit: '5', durationMs: 160, volume: 0 },
    { digit: '*', durationMs: 0, volume: 0 },
  ]);
  for (let i = 0; i < 40; i++) noteSignalled(columns, 0, 1, 0);
  t.equal(receivedDigits(columns, 0, 8).length, 32, 'further ones are counted, not kept');
  t.end();
});
