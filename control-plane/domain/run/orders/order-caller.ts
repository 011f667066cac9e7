/** How endpoints name themselves, and what their requests contain, in the terms of the wire. */
import { placesOf } from '@carillon/proto/words/template.ts';
import type { Group } from '../../../contract/test-settings/test.ts';
import type { HeaderMethod } from '../../../contract/test-settings/words.ts';
import { ownValue } from '../group/own-values.ts';
import { type PlannedInstance, registers } from '../plan/plan.ts';

/** The values of one name, one for each endpoint. */
export type Column = { readonly name: string; readonly value: readonly string[] };
export type HeaderOrder = { readonly method: HeaderMethod; readonly name: string; readonly value: string };

/** The columns that the texts use. */
export const columnsOf = (texts: readonly string[], endpoints: PlannedInstance['endpoints']): Column[] =>
  [...new Set(texts.flatMap(placesOf))].map((name) => ({
    name,
    value: endpoints.map((one) => ownValue(one, name) ?? ''),
  }));

/** The From settings of the group or, without them, of the accounts. */
export function callerOf({ group, registrar, endpoints }: PlannedInstance) {
  const some = (what: 'displayName' | 'number') => endpoints.some(({ account }) => (account?.[what] ?? null) !== null);
  const number = !registers(registrar) && some('number') ? '{{number}}' : '';
  return {
    displayName: group.displayName ?? (some('displayName') ? '{{displayName}}' : ''),
    callerNumber: group.callerNumber ?? number,
  };
}

/** Header fields by RFC 3325, 9.1; RFC 3323, 4.2; RFC 5806, 4. */
export function headersOf({ assertedIdentity, privacy, diversion, headers }: Group): HeaderOrder[] {
  const invite = (name: string, value: string | null): HeaderOrder[] =>
    value ? [{ method: 'INVITE', name, value }] : [];
  return [
    ...invite('P-Asserted-Identity', assertedIdentity && `<${assertedIdentity}>`),
    ...invite('Privacy', privacy.map((one) => one.toLowerCase()).join(';')),
    ...invite(
      'Diversion',
      diversion && `<${diversion.uri}>;reason=${hyphened(diversion.reason)};counter=${diversion.counter}`,
    ),
    ...headers.flatMap(({ methods, name, value }) => methods.map((method) => ({ method, name, value }))),
  ];
}

const hyphened = (word: string): string => word.toLowerCase().replaceAll('_', '-');
