/** Forms learn from the schemas of what kind a field is, and its bounds. */
import t from 'tap';
import * as forms from './form-fields.ts';

t.test('of each kind', async (t) => {
  const { gateways, register, uri, domain, tls, protocol } = forms.REGISTRAR_KINDS;
  t.same(gateways, { kind: 'TEXTS', isOptional: false });
  t.same(register, { kind: 'SWITCH', isOptional: false });
  t.same(uri, { kind: 'TEXT', isOptional: false });
  t.same(domain, { kind: 'TEXT', isOptional: true });
  t.match(protocol, { kind: 'CHOICE', isOptional: false });
  t.match(tls, { kind: 'PART', isOptional: true, fields: { verify: { words: ['SYSTEM', 'CUSTOM', 'SKIP'] } } });
});
