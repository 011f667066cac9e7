/** Sends a built request to another server: RFC 3263, 4.3 allows only the topmost Via to change. */
import type { SipTransport } from '../engine.ts';

/** The start of our topmost Via; the branch completes it. */
export type Vias = Readonly<Record<SipTransport, string>>;

const BRANCH = ';branch=';

/** The message with another branch and the transport of its new place. The Via is the first header line, as build.ts writes it. */
export function readdressed(text: string, vias: Vias, transport: SipTransport, branch: string): string {
  const viaAt = text.indexOf('\r\n') + 2;
  const viaEnd = text.indexOf('\r\n', viaAt);
  return text.slice(0, viaAt) + vias[transport] + branch + text.slice(viaEnd);
}

/** The branch of the topmost Via of our request. */
export function branchOf(text: string): string {
  const viaAt = text.indexOf('\r\n') + 2;
  return text.slice(text.indexOf(BRANCH, viaAt) + BRANCH.length, text.indexOf('\r\n', viaAt));
}

/** Our Contact names the transport that our requests go by (`;transport=tcp`): it goes along. */
export const withContact = (text: string, uri: string): string =>
  text.replace(/(\r\nContact: <)[^>\r\n]*>/, (_whole, head: string) => `${head}${uri}>`);
