import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { readValues, writtenValues } from './own-values.ts';

t.test('what is written is read back', (t) => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/).filter((one) => !(one in {}));
  const value = fc.stringMatching(/^[a-z0-9= ,.-]{0,20}$/);
  const values = fc.dictionary(name, value, { noNullPrototype: true });
  fc.assert(
    fc.property(values, (values) => {
      t.strictSame(readValues(writtenValues(values)), { values, fault: null });
    }),
    { numRuns: 200 },
  );
  t.end();
});

t.test('a line that is no value is named', (t) => {
  t.match(readValues('pin=1\n\n=2'), { fault: 'line 3 is not of the form name=value' });
  t.match(readValues('pin'), { fault: 'line 1 is not of the form name=value' });
  t.match(readValues('pin=1\npin=2'), { fault: 'line 2: pin is already set above' });
  t.strictSame(readValues(''), { values: {}, fault: null });
  t.end();
});
