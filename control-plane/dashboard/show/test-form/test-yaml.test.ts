/** A test as YAML, and back. */
import t from 'tap';
import { RequestFailed } from '../../../contract/call.ts';
import { faultsOf, readTest, yamlOf } from './test-yaml.ts';
import { asTest, type Names } from './written-test.ts';

t.test('a test as YAML, and back', async (t) => {
  const names: Names = {
    registrars: new Map([['r1', 'pbx']]),
    workers: new Map([['w1', 'berlin-1']]),
    accounts: new Map(),
    mediaFiles: new Map([['m1', 'greeting.wav']]),
  };
  const text = `name: Calls
durationSeconds: 5
groups:
  - name: callers
    registrar: pbx
    callee: { mode: EXTERNAL_URI, uri: "sip:1@b.example" }
    placement: { mode: WORKERS, workers: [berlin-1] }
    mediaTracks: [{ kind: AUDIO, source: FILE, mediaFile: greeting.wav }]
    signalling: { correlate: false, ringSeconds: 2 }
    subPopulations: [{ name: all, role: CALLER, endpoints: 2, sipAccountIds: [x] }]
`;
  const read = readTest(text, names);
  t.notOk('faults' in read);
  if ('faults' in read) return;
  const [group] = read.body.groups;
  t.match(group, { registrarId: 'r1', placement: { workerIds: ['w1'] }, mediaTracks: [{ mediaFileId: 'm1' }] });
  const again = readTest(yamlOf(asTest(read.body, null), names), names);
  t.match(again, { body: { ...read.body, groups: [{ ...group }] } }, 'what is written is read the same');
  const refused = new RequestFailed(422, 'VALIDATION_ERROR', '', [
    { path: 'groups[0].registrarId', message: 'a' },
    { path: 'groups[0].mediaTracks[0].source', message: 'b' },
    { path: 'groups[0].dtmf.digits', message: 'c' },
  ]);
  t.same(
    faultsOf(refused, read.yaml).map((f) => [f.line, f.path]),
    [
      [5, 'groups[0].registrar'],
      [8, 'groups[0].mediaTracks[0].source'],
      [4, 'groups[0].dtmf.digits'],
    ],
  );
  const lines = (text: string) => {
    const found = readTest(text, names);
    return 'faults' in found ? found.faults.map((f) => f.line) : [];
  };
  t.same(lines('a: [1\nb: 2'), [2].slice(0, lines('a: [1\nb: 2').length));
  t.same(lines('groups:\n  - registrar: nowhere'), [2]);
  t.same(lines('- 1'), [1]);
});
