/**
 * Compares a request as sent with the copy that the far end returns (message/sipfrag, RFC 3420). Pure. NAT changes the
 * source address; a SIP ALG changes the content.
 */
import { type CheckResult, ok, unknown, warn } from '@carillon/proto/check-result.ts';

export type SipAnswer = {
  /** Our address in the topmost Via as the far end saw it (RFC 3261, 18.2.1; RFC 3581). Null: the far end did not report it. */
  readonly received: string | null;
  readonly rport: number | null;
  /** The request as received by the far end; null: the far end does not return it. */
  readonly echo: string | null;
};

export type Local = { readonly address: string; readonly port: number };

export function readAnswer(response: string): SipAnswer {
  const via = lineOf(response, 'Via', 'v');
  const body = response.slice(response.indexOf('\r\n\r\n') + 4);
  const isEcho = /^(?:Content-Type|c)\s*:\s*message\/sipfrag/im.test(response.slice(0, -body.length || undefined));
  return {
    received: /;received=\[?([^;\],\s]+)/i.exec(via)?.[1] ?? null,
    rport: Number(/;rport=(\d+)/i.exec(via)?.[1]) || null,
    echo: isEcho && body !== '' ? body : null,
  };
}

export function judgeWay(target: string, sent: string, local: Local, answer: SipAnswer): CheckResult[] {
  return [nat(target, local, answer), alg(target, sent, answer)];
}

function nat(target: string, local: Local, { received, rport }: SipAnswer): CheckResult {
  const check = 'NAT';
  if (rport === null && received === null)
    return unknown(check, `${target} does not report the address of this host (rport)`);
  const seen = `${received ?? local.address}:${rport ?? local.port}`;
  if (seen === `${local.address}:${local.port}`) return ok(check, `${target} sees this host's own address, ${seen}`);
  return warn(
    check,
    `${target} sees ${local.address}:${local.port} as ${seen}: Contact and SDP name an address that it cannot reach`,
    'a far end that answers to where requests and RTP come from (rport, symmetric RTP), an agent on its side of the NAT, or CARILLON_PUBLIC_ADDRESS where only this host has that address',
  );
}

/** The fields from which a far end reads our address. In Via only our own part counts: the far end adds received and rport. */
const ADDRESS_FIELDS = [
  ['Via', (text: string) => /^\S+\s+([^;,\s]+)/.exec(lineOf(text, 'Via', 'v'))?.[1] ?? ''],
  ['Contact', (text: string) => lineOf(text, 'Contact', 'm')],
  ['Call-ID', (text: string) => lineOf(text, 'Call-ID', 'i')],
  ['SDP o=', (text: string) => /^o=(.*)$/m.exec(text)?.[1]?.trim() ?? ''],
  ['SDP c=', (text: string) => /^c=(.*)$/m.exec(text)?.[1]?.trim() ?? ''],
  ['SDP m=', (text: string) => /^m=(.*)$/m.exec(text)?.[1]?.trim() ?? ''],
] as const;

function alg(target: string, sent: string, { echo }: SipAnswer): CheckResult {
  const check = 'SIP ALG';
  if (echo === null)
    return unknown(check, `${target} does not report what it received: ask another carillon-agent there`);
  const changed = ADDRESS_FIELDS.filter(([, of]) => of(sent) !== of(echo)).map(
    ([name, of]) => `${name} (${of(echo) || 'gone'})`,
  );
  if (changed.length === 0) return ok(check, `${target} received the message unchanged`);
  return warn(
    check,
    `on the way to ${target} a device rewrites ${changed.join(', ')}: it may cause failures and change figures`,
    'switch the SIP ALG (“SIP helper”) of routers on the way off, on Linux nf_conntrack_sip; or use TLS, which it cannot read',
  );
}

function lineOf(text: string, name: string, compact: string): string {
  const head = text.split('\r\n\r\n', 1)[0] ?? '';
  return new RegExp(`^(?:${name}|${compact})\\s*:\\s*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
}
