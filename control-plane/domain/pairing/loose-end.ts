/** One end of a call without a known other end: the values for comparison. Instants in Unix ms. */

export type LooseEnd = {
  readonly number: number;
  /** Whose clock its instants are of. */
  readonly workerId: string;
  /**
   * In the format of `partyName`. Of a caller: its possible names in From; of a callee: the names it may be called by.
   */
  readonly names: readonly string[];
  /**
   * In the format of `partyName`. Of a caller: the called party; of a callee: the calling party in its INVITE. null:
   * none is named.
   */
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

/** Shorter numbers may be local and start with 00. */
const SHORTEST_INTERNATIONAL = 9;

/**
 * The user part of a SIP URI, normalized for rewriting servers: `+49 30-123`, `004930123` and `4930123` are equal.
 * null: there is none.
 */
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
 * The names by which a callee was called. An INVITE for its contact or its number may mean any of its names; one for
 * another number came because it accepts any: then that number was called.
 */
export function calledNames({ planned, requestUser }: Called): string[] {
  const names = [...new Set(planned.flatMap((name) => partyName(name) ?? []))];
  const requested = partyName(requestUser);
  return requested === null || names.includes(requested) ? names : [requested];
}
