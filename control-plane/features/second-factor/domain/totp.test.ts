/** One-time codes, by the vectors of RFC 6238. */
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { newTotpSecret, stepOfCode, totpUrl } from './totp.ts';

/** `12345678901234567890` in base 32. */
const secret = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');

t.test('RFC 6238, appendix B: the last six digits of its eight, SHA-1', async (t) => {
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ];
  for (const [seconds, code] of vectors) {
    const step = Math.floor(seconds / 30);
    for (const off of [-1, 0, 1])
      t.equal(stepOfCode(secret, code, (step + off) * 30_000), step, `${code}, a clock ${off} steps off`);
    for (const off of [-2, 2]) t.equal(stepOfCode(secret, code, (step + off) * 30_000), null, `${off} steps off`);
  }
});

t.test('what is no code is none', async (t) => {
  for (const code of ['', '28708', '2870820', '28708x', ' 287082', '287083', '-87082', '28.082', '٢٨٧٠٨٢'])
    t.equal(stepOfCode(secret, code, 59_000), null, code);
});

t.test('secrets, and the address that an authenticator reads', async (t) => {
  const [one, other] = [newTotpSecret(), newTotpSecret()];
  t.match(one.reveal(), /^[A-Z2-7]{32}$/, '160 bits');
  t.notOk(one.equals(other));
  const url = new URL(totpUrl(secret, 'ada+1@acme.example'));
  t.equal(url.protocol + url.host, 'otpauth:totp');
  t.equal(decodeURIComponent(url.pathname), '/Carillon:ada+1@acme.example');
  t.same(Object.fromEntries(url.searchParams), {
    issuer: 'Carillon',
    secret: secret.reveal(),
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
