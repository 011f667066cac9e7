/** Hosts and ports in SIP URIs. */
import t from 'tap';
import { hostPort, sipHost } from './sip-uri.ts';

t.test('SIP hosts', async (t) => {
  for (const [uri, expected] of [
    ['sip:pbx.example', { host: 'pbx.example', port: null }],
    ['sip:1001@10.0.0.1:5070;transport=udp', { host: '10.0.0.1', port: 5070 }],
    ['<sip:[2001:db8::1]:5061;lr>', { host: '2001:db8::1', port: 5061 }],
    ['sip:a@b:70000', undefined],
    ['http://x', undefined],
    ['sip:', undefined],
    ['sip:9@', undefined],
    ['sip:a@b@c', undefined],
  ] as const) {
    t.same(sipHost(uri), expected, uri);
  }
  t.equal(hostPort({ host: '2001:db8::1', port: null }, 5060), '[2001:db8::1]:5060');
});
