/** Eighteen ways to behave in a call of eight seconds: fourteen with a fault for the caller, and four good ones. */

import type { MediaInput } from '../../lab/provision.ts';
import type { Behaviour } from './behaviour.ts';
import { lostBetween, silentBetween, steady } from './plans.ts';

const TONE = steady('TONE');
const NOTHING: Behaviour['sends'] = [];

export const NETWORK_OUT_OF_ORDER = 'Q.850;cause=38;text="Network out of order"';

export const BAD_BEHAVIOURS = {
  'no-rtp': { sends: NOTHING },
  'closed-port': { sends: NOTHING, closedPort: true },
  stops: { sends: steady('TONE', 2000) },
  gap: { sends: lostBetween(TONE, 3000, 5000) },
  late: { sends: lostBetween(TONE, 0, 4000) },
  'silence-pcmu': { sends: steady('SILENCE') },
  'silence-opus': { sends: steady('OPUS_SILENCE'), answer: { codec: 'OPUS' } },
  'other-codec': { sends: steady('G729') },
  'events-only': { sends: steady('EVENT') },
  deaf: { sends: TONE, reports: { hearsUntilMs: 1500 } },
  mute: { sends: NOTHING, reports: 'HEARS' },
  'wrong-keys': { sends: steady('UNDER_OTHER_KEYS') },
  drops: { sends: TONE, hangsUp: { afterMs: 1000, reason: NETWORK_OUT_OF_ORDER } },
  vanishes: { sends: TONE, forgetsAfterMs: 4000 },
} as const satisfies Record<string, Behaviour>;

export const GOOD_BEHAVIOURS = {
  echo: { sends: 'ECHO', reports: 'HEARS' },
  listener: { sends: NOTHING, answer: { direction: 'recvonly' } },
  'hangs-up': { sends: TONE, hangsUp: { afterMs: 4000 } },
  'comfort-noise': { sends: silentBetween(TONE, 2000, 5000), answer: { comfortNoise: true } },
} as const satisfies Record<string, Behaviour>;

export type BadBehaviour = keyof typeof BAD_BEHAVIOURS;
export type GoodBehaviour = keyof typeof GOOD_BEHAVIOURS;

/** The media settings of a group that calls them, where the plain call with PCMU does not fit. */
export const MEDIA_OF_BEHAVIOURS: Readonly<Record<string, MediaInput>> = {
  'silence-opus': { audioCodecs: ['OPUS'] },
  // Events are negotiated if they are sent.
  'events-only': { dtmf: { digits: '1' } },
  'wrong-keys': { encryption: 'SDES' },
  listener: { mediaTracks: [{ kind: 'AUDIO', direction: 'SEND' }] },
  'hangs-up': { expectations: { farEndHangsUp: true } },
  // We answer comfort noise, and never offer it: the peer has to offer.
  'comfort-noise': { signalling: { delayedOffer: true } },
};
