/** One end of a call whose other end nothing names: what is compared to find that. Instants in Unix ms. */

export type LooseEnd = {
  readonly number: number;
  /** Whose clock its instants are of. */
  readonly workerId: string;
  /** As `partyName` writes them. Of a caller: what may stand for it in From; of a callee: what it may have been called by. */
  readonly names: readonly string[];
  /** As `partyName` writes it. Of a caller: whom it called; of a callee: who called it, as its INVITE said. null: nobody is named. */
  readonly other: string | null;
  /** The INVITE was sent, or came. */
  readonly beganAtMs: number;
  /** NaN: it was not answered. */
  readonly answeredAtMs: number;
  readonly endedAtMs: number;
  /** Of a call that was not answered: the caller gave it up. */
  readonly isCancelled: boolean;
  /** Of its first stream; null: there was none, or nothing came. */
  readonly ssrcSent: number | null;
  readonly ssrcReceived: number | null;
};

/** Shorter numbers may begin with 00 and be local. */
const SHORTEST_INTERNATIONAL = 9;

/** The user part of a SIP URI as servers may rewrite it: `+49 30-123`, `004930123` and `4930123` are one. null: there is none. */
export function partyName(user: string | null): string | null {
  const text = unescaped(user ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();
  if (!text) return null;
  if (!/^\+?[\d\s().-]+$/.test(text)) return text;
  const digits = text.replace(/\D/g, '');
  return digits.length >= SHORTEST_INTERNATIONAL ? digits.replace(/^00/, '') : digits || null;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Called = { readonly planned: readonly string[]; readonly requestUser: string | null };

/**
 * By what a callee was called. An INVITE for its contact or its number is for it by all its names; one for another number came because it
 * takes any: then that number was called.
 */
export function calledNames({ planned, requestUser }: Called): string[] {
  const names = [...new Set(planned.flatMap((name) => partyName(name) ?? []))];
  const asked = partyName(requestUser);
  return asked === null || names.includes(asked) ? names : [asked];
}
