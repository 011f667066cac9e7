/** What is missing before agents on other hosts can reach a control plane: a table of its settings. */
import t from 'tap';
import { type Listening, reachOf } from './reach.ts';

const HERE = 'http://127.0.0.1:8080';
const NAME = 'carillon.example';

t.test('the settings, the address for agents, and what is missing', (t) => {
  const rows: readonly [string, Partial<Listening>, origin: string, agentUrl: string, missing: string[]][] = [
    ['as it starts', {}, HERE, 'ws://127.0.0.1:8080/agent/v1', ['HOST', 'CARILLON_PUBLIC_URL', 'CARILLON_TLS']],
    [
      'seen through a tunnel',
      { host: '0.0.0.0' },
      'http://localhost:9000',
      'ws://localhost:9000/agent/v1',
      ['CARILLON_PUBLIC_URL', 'CARILLON_TLS'],
    ],
    [
      'reached from elsewhere by its address',
      { host: '0.0.0.0' },
      'http://10.0.0.7:8080',
      'ws://10.0.0.7:8080/agent/v1',
      ['CARILLON_TLS'],
    ],
    ['reached through a proxy that nobody told of', {}, `https://${NAME}`, `wss://${NAME}/agent/v1`, []],
    [
      'its own certificate',
      { host: '0.0.0.0', port: 8443, publicUrl: `https://${NAME}:8443`, tls: true },
      'https://127.0.0.1:8443',
      `wss://${NAME}:8443/agent/v1`,
      [],
    ],
    [
      'its own certificate on the wrong address',
      { port: 8443, publicUrl: `https://${NAME}:8443/`, tls: true },
      'https://localhost:8443',
      `wss://${NAME}:8443/agent/v1`,
      ['HOST'],
    ],
    ['a proxy with TLS', { publicUrl: `https://${NAME}` }, HERE, `wss://${NAME}/agent/v1`, []],
    ['a proxy with TLS at our port', { publicUrl: `https://${NAME}:8080` }, HERE, `wss://${NAME}:8080/agent/v1`, []],
    ['a proxy without', { publicUrl: `http://${NAME}` }, HERE, `ws://${NAME}/agent/v1`, ['CARILLON_TLS']],
    [
      'no proxy and no TLS',
      { publicUrl: `http://${NAME}:8080` },
      HERE,
      `ws://${NAME}:8080/agent/v1`,
      ['HOST', 'CARILLON_TLS'],
    ],
    [
      'a public address that is none',
      { publicUrl: 'http://[::1]:8080', host: '::' },
      HERE,
      'ws://[::1]:8080/agent/v1',
      ['CARILLON_PUBLIC_URL', 'CARILLON_TLS'],
    ],
  ];
  for (const [what, more, origin, agentUrl, names] of rows) {
    const reach = reachOf({ host: '127.0.0.1', port: 8080, publicUrl: null, tls: false, ...more }, origin);
    t.equal(reach.agentUrl, agentUrl, what);
    const missing = reach.missing.map(({ lines: [first = ''] }) => first.replace(/(?:_CERTIFICATE)?=.*/, ''));
    t.same(missing, names, what);
    t.equal(reach.isLocal, names.includes('CARILLON_PUBLIC_URL'), what);
  }
  t.end();
});
