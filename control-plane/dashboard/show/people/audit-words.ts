/** Entries of the audit log in words, and its filters: from the address to the API. */
import { ROUTES } from 'virtual:routes';
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { kindOf, kindsIn } from '../../../contract/people/audited-objects.ts';
import { type PeriodSearch, pageOf, spanOf } from '../basics/periods.ts';
import { plain } from '../basics/words.tsx';

export type AuditSearch = PeriodSearch & {
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  readonly action?: string | undefined;
  readonly page?: string | undefined;
};

type AuditQuery = Omit<CallInput<'listAuditEntries'>, 'per_page' | 'sort' | 'cursor'>;

export const auditQueryOf = ({ actor, kind, action, page, ...period }: AuditSearch, nowMs: number): AuditQuery => ({
  ...(actor && { actor }),
  ...(kind && { kind }),
  ...(action && { action }),
  ...spanOf(period, nowMs),
  page: pageOf(page),
});

const withNames = (text: string): string => text.replace(/\bapi\b/i, 'API').replace(/\bsip\b/i, 'SIP');

/** `createApiKey` -> `create API key` */
export const actionWords = (action: string): string =>
  // Kept entries have this spelling.
  withNames((action === 'enrolAgent' ? 'enrollAgent' : action).replace(/([A-Z])/g, ' $1').toLowerCase());

/** `sip-accounts` -> `SIP account` */
const kindWords = (kind: string): string =>
  withNames(
    kind
      .replace(/ies$/, 'y')
      .replace(/(?<=ch)es$|s$/, '')
      .replaceAll('-', ' '),
  );

const CHANGES = Object.entries(ROUTES).filter(([, { method }]) => method !== 'GET');
const KINDS = kindsIn(Object.values(ROUTES).map(({ path }) => path));
const OWN_WORDS: Readonly<Record<string, string>> = { me: 'Own account', entrance: 'Log-in' };

const byLabel = (a: { label: string }, b: { label: string }): number => a.label.localeCompare(b.label);

export const KIND_CHOICES = [...new Set(CHANGES.map(([, { path }]) => kindOf(path, KINDS)))]
  .map((kind) => ({ value: kind, label: OWN_WORDS[kind] ?? withNames(plain(kindWords(kind))) }))
  .sort(byLabel);

/** The operations about objects of a kind; all without one. */
export const actionChoices = (kind: string | undefined) =>
  CHANGES.filter(([, { path }]) => kind === undefined || kindOf(path, KINDS) === kind)
    .map(([action]) => ({ value: action, label: withNames(plain(actionWords(action))) }))
    .sort(byLabel);

type AuditObject = Output<'listAuditEntries'>['objects'][number];

/** `webhook hooks.example`. What is gone and was never named has the end of its id. */
const objectWords = ({ kind, id, name }: AuditObject): string => name ?? `${kindWords(kind)} …${id.slice(-6)}`;

/** What an entry is about, and where that is. */
export function aboutWords({ objects, target }: Output<'listAuditEntries'>): readonly [what: string, where: string] {
  const last = objects.at(-1);
  const times = target['count'] === undefined ? undefined : `${target['count']} times`;
  const { role, plan } = target;
  const named = [
    last ? objectWords(last) : target['name'],
    target['email'],
    role && plain(role),
    plan && `plan ${plain(plan)}`,
  ];
  const what = [...new Set([...named, target['reason'], times].filter(Boolean))].join(', ');
  const around = objects.slice(0, -1).reverse().map(objectWords);
  return [what === '' ? (target['id'] ?? '–') : what, around.length > 0 ? `in ${around.join(', ')}` : ''];
}
