/** How peers know this host: in addresses of record without a registrar, and in session descriptions. */
import t from 'tap';
import { PairWorld, sharePlan } from '../../../testing/run/pair.ts';

t.test(
  'a name in addresses of record, the public address in descriptions, and neither where none is set',
  async (t) => {
    const rows = [
      [null, '127.0.0.1:5060', '127.0.0.1'],
      [{ host: 'sbc.example.com', mediaAddress: '' }, 'sbc.example.com:5060', '127.0.0.1'],
      [{ host: '2001:db8::9', mediaAddress: '203.0.113.9' }, '[2001:db8::9]:5060', '203.0.113.9'],
    ] as const;
    for (const [announced, place, media] of rows) {
      const world = new PairWorld();
      Object.assign(world.engine, { announced });
      await world.open(sharePlan('CALLEE', {}));
      await world.open(sharePlan('CALLER', {}));
      world.start();
      world.go(500);
      t.equal(world.agents.get('e0')?.aor, `sip:e0@${place}`);
      for (const description of [world.calls[0]?.body ?? '', world.answers[0] ?? ''])
        t.match(description, new RegExp(`^o=.* IN IP4 ${media}\\r\\n[\\s\\S]*^c=IN IP4 ${media}\\r\\n`, 'm'));
    }
  },
);
