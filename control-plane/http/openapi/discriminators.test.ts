/** Unions get a discriminator only where one property tells every variant apart. */
import t from 'tap';
import { discriminated } from './discriminators.ts';

const variant = (mode: object, more: object = {}) => ({ type: 'object', properties: { ...more, mode } });
const on = variant({ const: 'TURN_ON' });
const off = variant({ enum: ['OFF'] });

t.test('named variants', async (t) => {
  t.same(discriminated({ Switch: { oneOf: [on, off], description: 'a switch' }, Other: { type: 'string' } }), {
    Switch: {
      description: 'a switch',
      oneOf: [{ $ref: '#/components/schemas/SwitchTurnOn' }, { $ref: '#/components/schemas/SwitchOff' }],
      discriminator: {
        propertyName: 'mode',
        mapping: { TURN_ON: '#/components/schemas/SwitchTurnOn', OFF: '#/components/schemas/SwitchOff' },
      },
    },
    SwitchTurnOn: on,
    SwitchOff: off,
    Other: { type: 'string' },
  });
});

t.test('the property that differs, not one that is the same in all', async (t) => {
  const both = { kind: { const: 'SWITCH' } };
  const made = discriminated({ Switch: { oneOf: [variant({ const: 'A' }, both), variant({ const: 'B' }, both)] } });
  t.match(made['Switch'], { discriminator: { propertyName: 'mode' } });
});

for (const [why, oneOf] of [
  ['two variants of one value', [on, on]],
  ['a variant of several values', [on, variant({ enum: ['A', 'B'] })]],
  ['a variant without the property', [on, { type: 'object', properties: {} }]],
  ['texts', [{ type: 'string' }, { type: 'number' }]],
  ['a variant that has a name', [on, { $ref: '#/components/schemas/Other' }]],
] as const)
  t.same(discriminated({ Switch: { oneOf } }), { Switch: { oneOf } }, why);
