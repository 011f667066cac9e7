/** Registrars and SIP accounts: in use, in bulk, with all that they have; no password is told. */
import t from 'tap';
import { openIn } from '../../../store/secrets/sealing.ts';
import { callsBody, OWNER, probeBody } from '../../../testing/api.ts';
import { noPasswordReturned, openWrites } from '../../../testing/writes.ts';

const { api, db, lab, make, newRegistrar, idOf, newAccounts, media } = await openWrites(t);
const { ask, cloudId } = api;

t.test('what is in use stays, and who uses it is named', async (t) => {
  const url = await newRegistrar();
  const pbx = idOf(url);
  const [account, unused] = await newAccounts(url, ['1', '2']);
  const recording = await make(`${lab}/media-files`, media());
  const body = callsBody(pbx, 1, { name: 'Uses it all' });
  const [callers, callees] = body.groups;
  const testUrl = await make(`${lab}/tests`, {
    ...body,
    groups: [
      { ...callers, mediaTracks: [{ kind: 'AUDIO', source: 'FILE', mediaFileId: idOf(recording) }] },
      { ...callees, subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 1, sipAccountIds: [account?.id] }] },
    ],
  });
  const probeUrl = await make(`${lab}/probes`, probeBody(pbx, { name: 'Uses it, too' }));
  const refused = async (url: string, message: RegExp) => {
    const reply = await ask('DELETE', url);
    t.match(reply, { status: 409, code: 'CONFLICT', message }, reply.message);
    return reply;
  };
  const named = await refused(url, /used by test Uses it all, probe Uses it, too\. Change or delete/);
  t.same(named.paths, ['tests', 'probes']);
  await refused(`${url}/sip-accounts/${account?.id}`, /account 1 is used by test Uses it all\./);
  await refused(recording, /used by test Uses it all\./);
  t.equal((await ask('DELETE', `${url}/sip-accounts/${unused?.id}`)).status, 200);
  t.equal((await ask('DELETE', probeUrl)).status, 200);
  await refused(url, /used by test Uses it all\./);
  t.equal((await ask('DELETE', testUrl)).status, 200);
  for (const free of [`${url}/sip-accounts/${account?.id}`, recording, url])
    t.equal((await ask('DELETE', free)).status, 200);

  const cloud = `${lab}/registrars/${cloudId}`;
  t.match(await ask('PATCH', cloud, { name: 'Mine' }), { status: 409, message: /built-in/ });
  t.match(await ask('DELETE', cloud), { status: 409, message: /built-in/ });
  const account1 = { sipAccounts: [{ username: '1', password: '1' }] };
  t.match(await ask('POST', `${cloud}/sip-accounts`, account1), { status: 409, message: /built-in/ });
});

t.test('SIP accounts come in bulk, all or none', async (t) => {
  const url = await newRegistrar();
  const where = `${url}/sip-accounts`;
  const accounts = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ username: String(from + i), password: `hidden ${from + i}` }));
  const startMs = performance.now();
  const made = await ask('POST', where, { sipAccounts: accounts(100_000, 10_000) });
  t.equal(made.status, 201, made.message);
  t.comment(`10,000 accounts in ${Math.round(performance.now() - startMs)} ms`);
  t.same(
    made.data.sipAccounts.map((a: { username: string }) => a.username),
    accounts(100_000, 10_000).map((a) => a.username),
  );
  t.equal((await ask('GET', url)).data.sipAccountCount, 10_000);
  const page = await ask('GET', `${where}?per_page=2&page=3`);
  t.same(
    page.data.map((a: { username: string }) => a.username),
    ['100004', '100005'],
  );
  t.match(page.data[0], { secret: 'PASSWORD', authName: null, displayName: null, number: null, values: {} });
  t.notMatch(JSON.stringify(page.data), 'hidden');
  t.equal(page.total, 10_000);

  const half = await ask('POST', where, { sipAccounts: accounts(109_998, 4) });
  t.match(half, { status: 409, code: 'CONFLICT', message: /has 109998, 109999 already; no account/ });
  t.same(half.paths, ['sipAccounts[0].username', 'sipAccounts[1].username']);
  const twice = await ask('POST', where, { sipAccounts: [...accounts(1, 3), ...accounts(2, 1)] });
  t.match(twice, { status: 422, paths: ['sipAccounts[3].username'], message: /2 is already in the list/ });
  t.equal((await ask('GET', url)).data.sipAccountCount, 10_000, 'none of them');
  t.match(await ask('POST', where, { sipAccounts: accounts(1, 10_001) }), { status: 422, paths: ['sipAccounts'] });
  t.match(await ask('POST', where, { sipAccounts: [] }), { status: 422 });
  for (const username of ['', 'a b', 'a@b', 'a\r\nVia: x', '<a>', '"', '\u0000', 'x'.repeat(129)]) {
    const reply = await ask('POST', where, { sipAccounts: [{ username, password: '' }] });
    t.match(reply, { status: 422, paths: ['sipAccounts[0].username'] }, JSON.stringify(username));
  }

  const [first, second] = made.data.sipAccounts;
  const one = `${where}/${first.id}`;
  t.equal((await ask('PATCH', one, { username: 'alice' })).data.username, 'alice');
  t.match(await ask('PATCH', one, { username: second.username }), { status: 409, message: /account 100001 already/ });
  t.equal((await ask('PATCH', one, {})).status, 200, 'nothing to change');
  t.match(await ask('PATCH', one, { password: 'x' }, { headers: { 'if-match': '"1"' } }), { status: 412 });
  t.equal((await ask('PATCH', one, { password: 'renewed password' })).status, 200);
  const stored = await db.selectFrom('sip_accounts').where('id', '=', first.id).select('password').executeTakeFirst();
  const row = { table: 'sip_accounts', id: first.id } as const;
  t.equal(openIn(db, row, stored?.password as Buffer).reveal(), 'renewed password');
});

t.test('a trunk may have further gateways, and a domain of its own', async (t) => {
  const trunk = { name: 'Trunk', uri: 'sip:192.0.2.1', register: false };
  const made = await ask('POST', `${lab}/registrars`, {
    ...trunk,
    domain: 'home.example',
    gateways: ['192.0.2.2:5070', '[2001:db8::1]'],
  });
  t.equal(made.status, 201, made.message);
  t.match(made.data, { domain: 'home.example', gateways: ['192.0.2.2:5070', '[2001:db8::1]'] });
  const one = `${lab}/registrars/${made.data.id}`;
  t.match((await ask('PATCH', one, { gateways: [] })).data, { domain: 'home.example', gateways: [] });
  const refused: [object, string][] = [
    [{ gateways: ['gw.example'] }, 'gateways[0]'],
    [{ gateways: ['192.0.2.2', '192.0.2.2'] }, 'gateways'],
    [{ gateways: ['192.0.2.2:99999'] }, 'gateways[0]'],
    [{ uri: 'sip:pbx.example', gateways: ['192.0.2.2'] }, 'gateways'],
    [{ outboundProxyUri: 'sip:192.0.2.9', gateways: ['192.0.2.2'] }, 'gateways'],
    [{ domain: 'sip:home' }, 'domain'],
  ];
  for (const [more, path] of refused)
    t.match(await ask('PATCH', one, more), { status: 422, paths: [path] }, JSON.stringify(more));
});

t.test('an account is more than a user name and a password', async (t) => {
  const url = await newRegistrar();
  const where = `${url}/sip-accounts`;
  const ha1 = '939e7578ed9e3c518a452acee763bce9';
  const whole = {
    username: '1001',
    ha1,
    authName: 'auth',
    displayName: 'Zo\u00eb',
    number: '+4930',
    values: { 'the pin': '4711' },
  };
  const made = await ask('POST', where, { sipAccounts: [whole, { username: '1002' }] });
  t.equal(made.status, 201, made.message);
  const listed = await ask('GET', where);
  const { ha1: _, ...told } = whole;
  t.match(listed.data, [
    { ...told, secret: 'HA1' },
    { username: '1002', secret: 'NONE' },
  ]);
  t.notMatch(JSON.stringify(listed.data), ha1, 'no secret is told');
  const one = `${where}/${made.data.sipAccounts[0].id}`;
  t.match((await ask('PATCH', one, { password: 'p', number: null })).data, { secret: 'PASSWORD', number: null });
  t.match(
    (await ask('PATCH', one, { ha1 })).data,
    { secret: 'HA1', authName: 'auth' },
    'one takes the place of the other',
  );
  t.match((await ask('PATCH', one, { ha1: null, values: {} })).data, { secret: 'NONE', values: {} });
  const refused: [object, string][] = [
    [{ password: 'p', ha1 }, 'ha1'],
    [{ ha1: 'no hash' }, 'ha1'],
    [{ number: 'a b' }, 'number'],
    [{ displayName: 'a\r\nb' }, 'displayName'],
    [{ values: { 'a..b': '1' } }, 'values.a..b'],
    [{ values: { number: '1' } }, 'values'],
    [{ values: { pin: 'a\nb' } }, 'values.pin'],
    [{ values: { pin: 1 } }, 'values.pin'],
  ];
  for (const [more, path] of refused) {
    const reply = await ask('POST', where, { sipAccounts: [{ username: '1003', ...more }] });
    t.match(reply, { status: 422, paths: [`sipAccounts[0].${path}`] }, JSON.stringify(more));
  }
  t.match(await ask('PATCH', one, { password: 'p', ha1 }), { status: 422, paths: ['ha1'] });

  const registrarId = url.split('/').at(-1);
  const test = (callerNumber: string) => ({
    name: `Names ${callerNumber}`,
    durationSeconds: 5,
    groups: [
      {
        name: 'callers',
        registrarId,
        callee: { mode: 'EXTERNAL_URI', uri: 'sip:9@127.0.0.1' },
        placement: { mode: 'REGION', region: 'local' },
        callerNumber,
        subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
      },
    ],
  });
  await ask('PATCH', one, { values: { pin: '1' } });
  t.equal((await ask('POST', `${lab}/tests`, test('0{{pin}}'))).status, 201);
  t.match(await ask('POST', `${lab}/tests`, test('0{{code}}')), {
    status: 422,
    paths: ['groups[0].callerNumber'],
    message: /no value for|has a value for \{\{code\}\}: there are pin/,
  });
});

t.test('no password is told or logged', async (t) => {
  t.ok(api.heard.join('\n').includes('100001'), 'user names are told');
  noPasswordReturned(t, api, OWNER.key);
});
