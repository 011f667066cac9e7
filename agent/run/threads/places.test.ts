/** The addresses that a thread sends from: opened once, kept while needed, then closed; and why one cannot be used. */
import t from 'tap';
import { readPolicy } from '../../policy/policy.ts';
import type { SipEngine } from '../../sip/engine.ts';
import type { Engines } from '../../sip/engines/engines.ts';
import type { Locator } from '../../sip/locate/locator.ts';
import { Places, type SourcePlace } from './places.ts';
import { again, sourceFault, sourceRefusal } from './source-address.ts';

const SOURCE = '192.0.2.7';

type Fake = { readonly place: SourcePlace; isBusy: boolean; isClosed: boolean; unclaimed: number };

function fakePlace(source: string, address: string): Fake {
  const fake = { isBusy: false, isClosed: false, unclaimed: 0 } as Fake;
  const main = {
    receiveDrops: 0,
    get counters() {
      return { unclaimed: fake.unclaimed, withheld: 0 };
    },
  } as unknown as SipEngine;
  const engines = {
    main,
    malformed: 0,
    refusedByPolicy: 0,
    needsLoop: false,
    get busy() {
      return fake.isBusy;
    },
    of: () => main,
    turn: () => 1,
    close: () => {
      fake.isClosed = true;
    },
  } as unknown as Engines;
  const locator = { busy: false, turn: () => undefined, close: () => undefined } as unknown as Locator;
  return Object.assign(fake, { place: { source, address, engines, locator } });
}

const own = () => fakePlace('', '192.0.2.1').place;

t.test('the own address is there at once, by whichever name; another is opened once for all', async (t) => {
  const opened: Fake[] = [];
  const places = new Places(own(), (source) => {
    const fake = fakePlace(source, source);
    opened.push(fake);
    return Promise.resolve(fake.place);
  });
  for (const source of ['', '192.0.2.1']) t.notOk(places.engineOf(source, 'UDP') instanceof Promise);
  const [one, two] = await Promise.all([places.engineOf(SOURCE, 'UDP'), places.engineOf(SOURCE, 'TCP')]);
  t.equal(opened.length, 1);
  t.equal(one.place, two.place);
  t.notOk(places.engineOf(SOURCE, 'UDP') instanceof Promise, 'open now');
  t.equal(places.turn(0), 2, 'both take their turn');
});

t.test('what no allocation needs is closed after a while, and its counts stay', async (t) => {
  const fake = fakePlace(SOURCE, SOURCE);
  const places = new Places(own(), () => Promise.resolve(fake.place));
  await places.engineOf(SOURCE, 'UDP');
  fake.unclaimed = 3;
  places.tidy(() => true, 0);
  places.tidy(() => false, 1000);
  fake.isBusy = true;
  places.tidy(() => false, 60_000);
  t.notOk(fake.isClosed, 'its transactions go on');
  fake.isBusy = false;
  places.tidy(() => false, 61_000);
  places.tidy(() => false, 92_999);
  t.notOk(fake.isClosed);
  places.tidy(() => false, 93_000);
  t.ok(fake.isClosed);
  t.equal(places.counts.unclaimed, 3);
  await places.engineOf(SOURCE, 'UDP');
  t.notOk(places.engineOf(SOURCE, 'UDP') instanceof Promise, 'and opened when it is needed again');
});

t.test('one that cannot be opened is tried again by the next allocation', async (t) => {
  let tries = 0;
  const places = new Places(own(), () => Promise.reject(new Error(`no ${++tries}`)));
  await t.rejects(Promise.resolve(places.engineOf(SOURCE, 'UDP')), { message: 'no 1' });
  await t.rejects(Promise.resolve(places.engineOf(SOURCE, 'UDP')), { message: 'no 2' });
});

t.test('an agent that stops keeps nothing open that opens meanwhile', async (t) => {
  const fake = fakePlace(SOURCE, SOURCE);
  const places = new Places(own(), async () => fake.place);
  const opening = Promise.resolve(places.engineOf(SOURCE, 'UDP'));
  places.close();
  await t.rejects(opening, /stopping/);
  t.ok(fake.isClosed);
});

t.test('why an address cannot be used, and what to do', async (t) => {
  const policy = { ...(await readPolicy(null)), listenAddresses: ['10.0.0.0/8'] };
  t.match(sourceRefusal('pbx.example', false, policy), /is not an IP address/);
  t.match(sourceRefusal(SOURCE, true, policy), /drachtio-server/);
  t.match(sourceRefusal(SOURCE, false, policy), /does not allow listening on 192\.0\.2\.7.*listenAddresses/);
  t.equal(sourceRefusal('10.1.2.3', false, policy), null);
  const missing = new Error('cannot listen on 192.0.2.7:5060: EADDRNOTAVAIL: cannot assign requested address');
  t.match(sourceFault(SOURCE, missing), /not an address of this host: give the host that address/);
  t.match(sourceFault(SOURCE, new Error('EACCES')), /cannot be listened on: EACCES/);
  const taken = Object.assign(new Error('taken'), { code: 'EADDRINUSE' });
  t.equal(await again(taken, async () => 'other'), 'other');
  await t.rejects(
    again(missing, async () => 'other'),
    missing,
  );
});
