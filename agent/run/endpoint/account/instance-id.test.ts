/** The instance id with which accounts register. */
import t from 'tap';
import { instanceOf } from './instance-id.ts';

t.test('the same account is the same instance, and nobody else’s (RFC 5626, 4.1)', (t) => {
  t.match(
    instanceOf('1001', 'pbx.example'),
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  t.equal(instanceOf('1001', 'pbx.example'), instanceOf('1001', 'pbx.example'));
  const all = ['1001@a', '1001@b', '1002@a'].map((one) => instanceOf(...(one.split('@') as [string, string])));
  t.equal(new Set(all).size, 3);
  t.end();
});
