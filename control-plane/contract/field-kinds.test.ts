/** Forms learn from the schemas of what kind a field is, and its bounds. */
import t from 'tap';
import type { FieldKind, FieldKinds } from './field-kinds.ts';
import * as forms from './form-fields.ts';

const all = (kinds: FieldKinds): [string, FieldKind][] =>
  Object.entries(kinds).flatMap(([name, kind]) => [[name, kind], ...(kind.kind === 'PART' ? all(kind.fields) : [])]);

t.test('of each kind', async (t) => {
  const { signalling, impairment, registerRetry, audioCodecs, assertedIdentity, rtcpMux } = forms.GROUP_KINDS;
  const { sessionTimer, provisional, rejectStatus } = signalling?.kind === 'PART' ? signalling.fields : {};
  t.match(registerRetry, { kind: 'PART', isOptional: true, fields: { afterSeconds: { isWhole: true, max: 3600 } } });
  t.match(sessionTimer, { isOptional: true, fields: { refresher: { isOptional: true, words: ['UAC', 'UAS'] } } });
  t.same(provisional, { kind: 'CHOICE', isOptional: false, words: [180, 183] });
  t.same(rejectStatus, { kind: 'NUMBER', isOptional: true, isWhole: true, min: 400, max: 699 });
  t.match(impairment, { fields: { lossPercent: { isWhole: false, min: 0, max: 90 } } });
  t.match(audioCodecs, { kind: 'CHOICES', isOptional: false });
  t.same(assertedIdentity, { kind: 'TEXT', isOptional: true });
  t.same(rtcpMux, { kind: 'SWITCH', isOptional: false });
  const { gateways } = forms.REGISTRAR_KINDS;
  t.same(gateways, { kind: 'TEXTS', isOptional: false });
});

t.test('plain values; numbers have bounds, and only what is not plain has no kind', async (t) => {
  const fields = Object.values(forms).flatMap(all);
  t.same(JSON.parse(JSON.stringify(forms)), { ...forms });
  for (const [name, kind] of fields)
    if (kind.kind === 'NUMBER') t.ok(Number.isFinite(kind.max) && kind.max < 2 ** 33 && kind.min >= 0, name);
  t.same(
    fields.filter(([, { kind }]) => kind === 'OTHER').map(([name]) => name),
    ['headers', 'actions', 'expectedStatusCodes', 'key', 'load'],
  );
});
