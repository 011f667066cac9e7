/** The subscriber that an address stands for: of IPv6, one address means its whole /64 (RFC 6177, RFC 8981). */

/** `address`: IPv4 or IPv6, without brackets. The same for all of a /64; IPv4, also mapped (RFC 4291, 2.5.5.2), is itself. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [front = '', back] = address.split('::');
  const first = front === '' ? [] : front.split(':');
  const last = back ? back.split(':') : [];
  const missing = 8 - first.length - last.length - (address.includes('.') ? 1 : 0);
  const groups = back === undefined ? first : [...first, ...Array<string>(missing).fill('0'), ...last];
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}
