/** One end of a call without a known other end: the values for comparison. Instants are in Unix ms. */

export type LooseEnd = {
  readonly number: number;
  /** The worker whose clock its instants are based on. */
  readonly workerId: string;
  /** In the format of `partyName`. For a caller: its possible names in From; for a callee: the names it may be called by. */
  readonly names: readonly string[];
  /**
   * In the format of `partyName`. For a caller: the called party; for a callee: the calling party in its INVITE. Null:
   * no party is named.
   */
  readonly other: string | null;
  /** The time at which the INVITE was sent or received. */
  readonly beganAtMs: number;
  /** NaN: it was not answered. */
  readonly answeredAtMs: number;
  readonly endedAtMs: number;
  /** For a call that was not answered: the caller gave it up. */
  readonly isCancelled: boolean;
  /** The SSRC of its first stream; null: the call had no stream, or received nothing. */
  readonly ssrcSent: number | null;
  readonly ssrcReceived: number | null;
};

/** Shorter numbers may be local and start with 00. */
const MIN_INTERNATIONAL = 9;

/**
 * The user part of a SIP URI, normalized for rewriting servers: `+49 30-123`, `004930123` and `4930123` are equal.
 * Null: the URI has none.
 */
export function partyName(user: string | null): string | null {
  const text = unescaped(user ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();
  if (!text) return null;
  if (!/^\+?[\d\s().-]+$/.test(text)) return text;
  const digits = text.replace(/\D/g, '');
  return digits.length >= MIN_INTERNATIONAL ? digits.replace(/^00/, '') : digits || null;
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
 * The names by which a callee was called. An INVITE for its contact or its number may mean any of its names. If the
 * INVITE was for another number, the callee accepts any number: then that number was called.
 */
export function calledNames({ planned, requestUser }: Called): string[] {
  const names = [...new Set(planned.flatMap((name) => partyName(name) ?? []))];
  const requested = partyName(requestUser);
  return requested === null || names.includes(requested) ? names : [requested];
}
