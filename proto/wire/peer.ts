/** The far end of a packet as agents write it: `192.0.2.1:5060` or `[2001:db8::1]:5060`. */

/** A text that is none has the address 0.0.0.0 and port 0. */
export function readPeer(peer: string): { readonly address: string; readonly port: number } {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(peer) ?? [];
  return { address: six ?? four ?? '0.0.0.0', port: Number(port ?? 0) & 0xffff };
}
