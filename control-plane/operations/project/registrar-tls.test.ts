/** A registrar's transport and TLS settings: accepted, checked, returned without the private key, and sent to agents. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { registrarPlansWithKeys } from '../../store/project/registrars.ts';
import { openApi } from '../../testing/api.ts';

const api = await openApi(t);
const { ask, world, projectId } = api;
const at = `/projects/${projectId}/registrars`;

const folder = mkdtempSync(path.join(tmpdir(), 'carillon-tls-'));
function pair(name: string): { certificate: string; key: string } {
  const [certificate, key] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.key`)];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-subj', `/CN=${name}`, '-keyout', key, '-out', certificate], {
    stdio: 'pipe',
  });
  return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
}
const ours = pair('agent.example');
const other = pair('other.example');
rmSync(folder, { recursive: true });

const body = (tls: object | null, more: object = {}) => ({
  name: 'Secure PBX',
  uri: 'sip:pbx.example',
  protocol: 'TLS',
  tls,
  ...more,
});
const planOf = async (id: string) => {
  const plan = (await registrarPlansWithKeys(world.database.db, projectId, [id]))[0];
  return { ...plan, tls: plan?.tls ? { ...plan.tls, key: plan.tls.key?.reveal() } : null };
};

t.test('settings are told without the key, and planned with it', async (t) => {
  const made = await ask('POST', at, body({ verify: 'CUSTOM', ca: other.certificate, ...ours }));
  t.equal(made.status, 201, made.text);
  t.same(made.data.tls, { verify: 'CUSTOM', ca: other.certificate, certificate: ours.certificate, hasKey: true });
  t.notMatch(made.text, /PRIVATE KEY/);
  const url = `${at}/${made.data.id}`;
  for (const where of [url, at]) t.notMatch((await ask('GET', where)).text, /PRIVATE KEY/);
  t.match(await planOf(made.data.id), { protocol: 'TLS', tls: { verify: 'CUSTOM', key: ours.key } });

  const named = await ask('PATCH', url, { name: 'Renamed' });
  t.match(named.data.tls, { hasKey: true });
  const told = { verify: 'SKIP', ca: null, certificate: ours.certificate };
  t.match((await ask('PATCH', url, { tls: told })).data.tls, { verify: 'SKIP', hasKey: true });
  t.match(await planOf(made.data.id), { tls: { verify: 'SKIP', key: ours.key } }, 'what is not told stays');
  t.equal(
    (await ask('PATCH', url, { tls: { ...told, certificate: other.certificate } })).status,
    422,
    'of another one',
  );
  t.equal((await ask('PATCH', url, { tls: null })).data.tls, null);
  t.match(await planOf(made.data.id), { tls: null });
});

t.test('nothing said is nothing set', async (t) => {
  const made = await ask('POST', at, { name: 'Plain', uri: 'sip:pbx.example' });
  t.match(made.data, { protocol: 'UDP', tls: null });
  t.equal((await ask('POST', at, { name: 'Stream', uri: 'sip:pbx.example', protocol: 'TCP' })).data.protocol, 'TCP');
});

t.test('the path of a WebSocket stands beside the URI, and in no other place', async (t) => {
  const web = { name: 'Web', uri: 'sip:pbx.example', protocol: 'WSS', webSocketPath: '/ws' };
  const made = await ask('POST', at, web);
  t.match(made.data, { protocol: 'WSS', webSocketPath: '/ws' });
  t.match(await planOf(made.data.id), { webSocketPath: '/ws' });
  const url = `${at}/${made.data.id}`;
  t.equal((await ask('PATCH', url, { name: 'Renamed' })).data.webSocketPath, '/ws');
  t.equal((await ask('PATCH', url, { webSocketPath: null })).data.webSocketPath, null);
  const cases: [what: string, change: object, path: string, message: RegExp][] = [
    ['of another protocol', { protocol: 'TLS' }, 'webSocketPath', /is for the protocols WS and WSS, not TLS/],
    ['no path', { webSocketPath: 'ws' }, 'webSocketPath', /begins with \//],
    ['with a fragment', { webSocketPath: '/ws#a' }, 'webSocketPath', /no #/],
    ['in the URI', { uri: 'sip:pbx.example;ws-path=/ws' }, 'uri', /use webSocketPath/],
    ['in the proxy', { outboundProxyUri: 'sip:a.example;WS-Path=/ws' }, 'outboundProxyUri', /use webSocketPath/],
  ];
  for (const [what, change, where, message] of cases) {
    const refused = await ask('POST', at, { ...web, ...change });
    t.equal(refused.status, 422, what);
    t.same(refused.paths, [where], what);
    t.match(refused.text, message, what);
  }
});

t.test('a host that is a name is one for the DNS', async (t) => {
  for (const [uri, dns] of [
    ['sip:pbx.example', true],
    ['sip:pbx.example:5070', true],
    ['sip:192.0.2.1', false],
    ['sip:[2001:db8::1]:5070', false],
  ] as const)
    t.equal((await ask('POST', at, { name: 'Host', uri })).data.dns, dns, uri);
});

t.test('what cannot be used is refused, and no key is repeated', async (t) => {
  const cases: [what: string, tls: object, path: string, message: RegExp][] = [
    ['CUSTOM without authorities', { verify: 'CUSTOM' }, 'tls.ca', /needs the authorities/],
    [
      'a key for another certificate',
      { verify: 'SKIP', certificate: ours.certificate, key: other.key },
      'tls.key',
      /another/,
    ],
    ['only a certificate', { verify: 'SKIP', certificate: ours.certificate }, 'tls.key', /needs its private key/],
    ['only a key', { verify: 'SKIP', key: ours.key }, 'tls.certificate', /needs its certificate/],
    [
      'a key in the place of the certificate',
      { verify: 'SKIP', certificate: ours.key, key: ours.key },
      'tls.certificate',
      /not a readable certificate/,
    ],
    [
      'a certificate in the place of the key',
      { verify: 'SKIP', certificate: ours.certificate, key: ours.certificate },
      'tls.key',
      /not a private key/,
    ],
    ['no PEM', { verify: 'CUSTOM', ca: 'MIIB' }, 'tls.ca', /PEM/],
    ['another word', { verify: 'NONE' }, 'tls.verify', /./],
  ];
  for (const [what, tls, where, message] of cases) {
    const refused = await ask('POST', at, body(tls));
    t.equal(refused.status, 422, what);
    t.same(refused.paths, [where], what);
    t.match(refused.text, message, what);
    t.notMatch(refused.text, /PRIVATE KEY-----\\n/, what);
  }
});
