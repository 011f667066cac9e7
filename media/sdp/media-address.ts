/** Judges whether media can be sent to the address of a c= line (RFC 8866, 5.7). */
import { isUnspecified } from './parse.ts';
import { type SdpFault, sdpFault } from './session-description.ts';

/**
 * Why media cannot be sent there; null: they can, or the line asks for no media (RFC 3264, 8.4). `address` null: there
 * is no such line.
 */
export function addressFault(address: string | null): SdpFault | null {
  if (address === null) return sdpFault('NO_ADDRESS', 'the peer gave no address (c= line)');
  if (isUnspecified(address)) return null;
  const bytes = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) ? address.split('.').map(Number) : null;
  if (bytes === null && !/^[0-9a-f]*:[0-9a-f:.]*$/i.test(address))
    return sdpFault('NO_ADDRESS', `the peer's media address is a name: ${address}`);
  if (bytes?.some((byte) => byte > 255)) return sdpFault('NO_ADDRESS', `the peer's media address is none: ${address}`);
  const first = bytes?.[0] ?? 0;
  if ((first >= 224 && first <= 239) || /^ff[0-9a-f]{2}:/i.test(address))
    return sdpFault('MULTICAST', `the peer's media address is a group's (multicast): ${address}`);
  if (first >= 240)
    return sdpFault('NO_ADDRESS', `the peer's media address is not the address of a single host: ${address}`);
  return null;
}
