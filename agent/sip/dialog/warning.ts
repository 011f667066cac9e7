/** The Warning for a rejected offer (RFC 3261, 20.43). */
import type { SdpFault, SdpFaultKind } from '@carillon/media/sdp/session-description.ts';

/** 301: incompatible address formats; 302: transport protocol; 304: media type; 305: media format; 330: multicast; 399: in words. */
const CODES: Readonly<Record<SdpFaultKind, number>> = {
  SYNTAX: 399,
  NO_AUDIO: 304,
  NO_COMMON_CODEC: 305,
  REJECTED: 399,
  NO_ADDRESS: 301,
  MULTICAST: 330,
  FORBIDDEN: 399,
  MISMATCH: 399,
  NOT_ENCRYPTED: 302,
  ENCRYPTED: 302,
  NO_COMMON_SUITE: 399,
  NO_KEY: 399,
  NO_FINGERPRINT: 399,
  SETUP: 399,
};

/** The header line, without its end. */
export const warningLine = ({ fault, reason }: SdpFault): string =>
  `Warning: ${CODES[fault]} carillon "${reason.replace(/[^ !#-[\]-~]/g, ' ')}"`;
