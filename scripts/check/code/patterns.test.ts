/**
 * No regular expression of the product takes more than linear time: what strangers, far ends and agents send would stop the
 * process for everybody (docs/decisions.md, Patterns of others). A checker looks for a text; V8 has to be slow on it, too.
 */
import t from 'tap';
import { isTest, ownSources, read } from '../sources.ts';
import { costMs, hostileText, type Pattern, patternsOf } from './patterns.ts';

/** What these match is written by the same people that wait for it, and short. */
const OWN: Readonly<Record<string, string>> = {
  '([a-z-]+)\\/\\{': 'paths of our own catalogue',
  '\\/+$': "the operator's own address (CARILLON_PUBLIC_URL)",
  ' *<script type="module" src="\\/main.tsx"><\\/script>\\n': 'our own page, when it is built',
  '^\\s*([A-Za-z]+)(?:\\.([a-z0-9]+))?\\s*(<=|>=|==|<|>)\\s*(-?\\d+(?:\\.\\d+)?)\\s*(ms|s|%)?\\s*$':
    'an argument of the command line',
  '\\[authentication(\\s[^\\]]*)?\\](.*)$': "a line of the user's own file, in the user's own browser",
};

/** The checker does not decide these, nor with a minute each: why they are linear. */
const UNDECIDED: Readonly<Record<string, string>> = {
  '-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----':
    'a look ends at the first hyphen, and a look begins at one',
  '^((?:Proxy-)?(?:Authorization|Authentication-Info)[ \\t]*:)((?:[^\\r\\n]+|\\r?\\n[ \\t])*)':
    'a look begins at a line, ends at the end of a header, and cannot fail after the colon',
};

/** Patterns that are built: from our own words, or by number-pattern.ts, which only looks whether it is one. */
const BUILT: readonly string[] = [
  'agent/doctor/sip-way.ts',
  'agent/run/outcome/failure-cause.ts',
  'control-plane/domain/sums/failure-sums.ts',
  'control-plane/http/openapi/sampled.ts',
  'control-plane/http/routes.ts',
  'proto/number-pattern.ts',
];

const files = ownSources().filter((file) => !file.startsWith('scripts/') && !isTest(file) && !/\/testing\//.test(file));
const all = files.flatMap(patternsOf);

/** A linear look at the longest text takes a hundredth of it. */
const LIMIT_MS = 100;

t.test('it finds what is known to be slow', async (t) => {
  const of = (source: string, flags = ''): Pattern => ({ file: '', source, flags });
  const known = [
    ...[of('^(a+)+$'), of('^(\\d|\\d\\d)*x'), of('\\s+$'), of('=+$'), of('^[0-9a-f:]*:[0-9a-f:.]*$', 'i')],
    ...[of('^\\s*Duration\\s*=\\s*(\\d{1,6})\\s*$', 'im'), of('^<?sips?:([^@:;?>]+)[^@>]*@', 'i'), of(' *, *')],
    ...[of('(\\r\\nContact: <)[^>]*>'), of('-----BEGIN X-----[\\s\\S]*?-----END X-----', 'g')],
    of('^SIP\\/2\\.0 +([1-6]\\d\\d)(?: +([^\\r\\n]*))?(?:\\r?\\n|$)', 'i'),
  ];
  for (const pattern of known) t.ok(hostileText(pattern), pattern.source);
  const [exponential] = known as [Pattern];
  t.ok(costMs(exponential, hostileText(exponential) ?? '') > LIMIT_MS, 'the test of one that would not end ends');
});

t.test('no expression of ours is', async (t) => {
  t.ok(all.length > 300, `${all.length} expressions`);
  const seen = new Set<string>();
  for (const pattern of all) {
    const key = `/${pattern.source}/${pattern.flags}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (pattern.source in OWN || pattern.source in UNDECIDED) continue;
    const text = hostileText(pattern);
    if (text === undefined) t.fail(`${pattern.file} ${key} is not decided`);
    else if (text !== null && costMs(pattern, text) > LIMIT_MS)
      t.fail(`${pattern.file} ${key}: ${encodeURI(text.slice(0, 80))}`);
  }
  t.ok(seen.size > 300, `${seen.size} different ones`);
});

t.test('exceptions are still there', async (t) => {
  for (const source of Object.keys({ ...OWN, ...UNDECIDED }))
    t.ok(
      all.some((pattern) => pattern.source === source),
      source,
    );
});

t.test('those that are built are known', async (t) => {
  t.same(files.filter((file) => /new RegExp\(/.test(read(file))).sort(), BUILT);
});
