/**
 * Why the far end refused, cancelled or ended something, in its own words: Reason (RFC 3326, RFC 9366), Warning (RFC 3261, 20.43) and
 * Retry-After (20.33). A message may name several reasons: the first cause of Q.850 is kept beside all texts.
 */
import { ownText } from './own-text.ts';
import { digits, endOfParameter, parameter, unquote } from './scan.ts';
import type { SipMessage } from './sip-message.ts';

export type Explanation = {
  /** Cause value of Q.850; 0: none. */
  readonly q850: number;
  /** The texts of Reason; '' if none. `SIP 503: …` if a reason is a status of another leg of the call. */
  readonly reason: string;
  /** `399 trunk group 7 full`; '' none. */
  readonly warning: string;
  /** 0: none. */
  readonly retryAfterSeconds: number;
};

const MAX_TEXT = 200;
const HIGHEST_Q850 = 127;
const HIGHEST_STATUS = 699;
const MAX_RETRY = 999_999_999;

/** Null: the message has no explanation. */
export function explanationOf(message: SipMessage): Explanation | null {
  const reasons = message.headerMembers('reason');
  const [firstWarning] = message.headerMembers('warning');
  const warning = firstWarning === undefined ? '' : warningOf(firstWarning);
  const retryAfterSeconds = retryAfterSecondsOf(message);
  let q850 = 0;
  let reason = '';
  for (const member of reasons) {
    const protocol = member
      .slice(0, endOfParameter(member, 0, member.length))
      .trim()
      .toUpperCase();
    const cause = causeOf(member);
    const isQ850 = protocol === 'Q.850' && cause > 0 && cause <= HIGHEST_Q850;
    if (isQ850) q850 ||= cause;
    const isStatus = protocol === 'SIP' && cause >= 100 && cause <= HIGHEST_STATUS;
    // Another cause than the first (RFC 9366).
    const named = isStatus ? `SIP ${cause}` : isQ850 && cause !== q850 ? `Q.850 ${cause}` : '';
    reason = joined(reason, named, textOf(member));
  }
  const isAny = q850 !== 0 || reason !== '' || warning !== '' || retryAfterSeconds !== 0;
  return isAny ? { q850, reason, warning, retryAfterSeconds } : null;
}

/** `texts; NAME: text`, each text once. */
function joined(texts: string, name: string, text: string): string {
  const said = withName(name, text);
  if (said === '' || `; ${texts}; `.includes(`; ${said}; `)) return texts;
  return texts === '' ? said : bounded(`${texts}; ${said}`);
}

const withName = (name: string, text: string): string =>
  name === '' || text === '' ? name + text : `${name}: ${text}`;

/** Causes of Q.850 that mean any normal end, and thus are no reason (16, 31). */
const GENERAL: ReadonlySet<number> = new Set([0, 16, 31]);

export type ProvisionalWord = { readonly status: number; readonly explanation: Explanation };

/** What the provisional responses of a call say of its reason, `before` and this one; null: nothing. */
export function provisionalWord(response: SipMessage, before: ProvisionalWord | null): ProvisionalWord | null {
  const explanation = response.status === 100 ? null : explanationOf(response);
  if (explanation === null) return before;
  const word = { status: response.status, explanation };
  if (before === null) return word;
  const earlier = before.explanation;
  const { status, explanation: by } = GENERAL.has(explanation.q850) && !GENERAL.has(earlier.q850) ? before : word;
  return {
    status,
    explanation: {
      q850: by.q850,
      reason: joined(wordsOf(earlier, by.q850), '', wordsOf(explanation, by.q850)),
      warning: explanation.warning || earlier.warning,
      retryAfterSeconds: explanation.retryAfterSeconds || earlier.retryAfterSeconds,
    },
  };
}

/** `Temporarily Unavailable (Q.850 34: no circuit; 399 trunk group 7 full)`: the reason phrase of a response, and what explains it. */
export function explainedReason(response: SipMessage): string {
  const explanation = explanationOf(response);
  if (explanation === null) return response.reason;
  const words = [wordsOf(explanation, 0), explanation.warning].filter((word) => word !== '').join('; ');
  return words === '' ? response.reason : `${response.reason} (${words})`.trim();
}

/** The reason in words, with its cause if that is not the one beside it. */
function wordsOf({ q850, reason }: Explanation, beside: number): string {
  const name = q850 === 0 || q850 === beside ? '' : `Q.850 ${q850}`;
  // The texts of another cause have their own name.
  return name !== '' && /^(?:Q\.850|SIP) \d/.test(reason) ? `${name}; ${reason}` : withName(name, reason);
}

/**
 * Why a call failed, where a provisional response has said why before the final one (RFC 6432, 4): gateways send the cause
 * with an announcement, and then a status that says less. Null: neither explains anything.
 */
export function explanationAfter(said: ProvisionalWord | null, last: Explanation | null): Explanation | null {
  if (said === null) return last;
  const { status, explanation: earlier } = said;
  const q850 = last === null || (GENERAL.has(last.q850) && earlier.q850 !== 0) ? earlier.q850 : last.q850;
  const before = wordsOf(earlier, q850);
  return {
    q850,
    reason: joined(last === null ? '' : wordsOf(last, q850), before === '' ? '' : `in the ${status} before`, before),
    warning: last?.warning || earlier.warning,
    retryAfterSeconds: last?.retryAfterSeconds || earlier.retryAfterSeconds,
  };
}

/** `18000;duration=3600`, `120 (I'm in a meeting)`: 18000, 120; 0: there is none. */
export function retryAfterSecondsOf(message: SipMessage): number {
  const value = message.header('retry-after');
  return value === null ? 0 : Math.min(MAX_RETRY, Number(/^\s*(\d+)/.exec(value)?.[1] ?? 0));
}

/** 0: none. */
function causeOf(member: string): number {
  const value = parameter(member, 0, member.length, 'cause') ?? '';
  return Math.max(0, digits(value, 0, value.length));
}

const textOf = (member: string): string => bounded(unquote(parameter(member, 0, member.length, 'text') ?? ''));

/** `399 gw2.example "trunk group 7 full"`: code and text; its author is in the message. */
function warningOf(member: string): string {
  const found = /^(\d{3})\s+(?:[^\s"]+\s+)?(".*")$/s.exec(member);
  return found ? bounded(`${found[1]} ${unquote(found[2] as string)}`.trim()) : bounded(member);
}

/** A copy: a slice would keep the whole message. Cut between characters of UTF-8, or no reader would take it for that. */
function bounded(text: string): string {
  if (text.length <= MAX_TEXT) return ownText(text);
  let end = MAX_TEXT;
  while (end > MAX_TEXT - 4 && (text.charCodeAt(end) & 0xc0) === 0x80) end--;
  return ownText(text.slice(0, end));
}
