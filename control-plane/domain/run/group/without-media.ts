/** Calls without media: groups without a media track, and settings that they cannot have. Pure. */
import type { Action } from '../../../contract/test-settings/scenario.ts';
import type { Group } from '../../../contract/test-settings/test.ts';
import type { FileFault } from '../../../contract/yaml-file.ts';

export type WithoutMedia = Pick<
  Group,
  'mode' | 'actions' | 'signalling' | 'sdp' | 'dtmf' | 'impairment' | 'rtpTrace' | 'ice'
> & { readonly mediaTracks: readonly object[] };

/** The streams of each endpoint: one per track, if the group has calls. */
export const streamsOf = ({ mode, mediaTracks }: Pick<Group, 'mode'> & { readonly mediaTracks: readonly object[] }) =>
  mode === 'CALL' ? mediaTracks.length : 0;

export const isWithoutMedia = ({ mode, mediaTracks }: Pick<WithoutMedia, 'mode' | 'mediaTracks'>): boolean =>
  mode === 'CALL' && mediaTracks.length === 0;

const OF_MEDIA = ['dtmf', 'impairment', 'rtpTrace'] as const;
const NONE = 'and the group has no mediaTracks';

/** Settings that could never take effect without media, by path within the group. */
export function withoutMediaFaults(group: WithoutMedia): FileFault[] {
  const { sdp, signalling } = group;
  if (!isWithoutMedia(group))
    return sdp === 'NONE' ? [{ path: ['sdp'], message: 'NONE allows no media: set mediaTracks: [], too' }] : [];
  const ofMedia = OF_MEDIA.filter((key) => group[key] !== null);
  return [
    ...(group.ice === 'NONE' ? [] : [{ path: ['ice'], message: `applies to media, ${NONE}` }]),
    ...ofMedia.map((key) => ({ path: [key], message: `applies to media, ${NONE}` })),
    ...(sdp === 'NONE' && signalling.delayedOffer
      ? [{ path: ['signalling', 'delayedOffer'], message: 'requires an offer, which sdp NONE does not guarantee' }]
      : []),
    ...group.actions.flatMap(({ trigger, action }, i) => {
      const fault = (key: 'trigger' | 'action', word: string, message: string): FileFault[] => [
        { path: ['actions', i, key, word], message },
      ];
      return [
        ...(trigger.on === 'HOLD' || trigger.on === 'RESUME' ? fault('trigger', 'on', `never comes: ${HOLDS}`) : []),
        ...(HOLDING.includes(action.do) ? fault('action', 'do', HOLDS) : []),
        ...(sdp === 'NONE' && (action.do === 'REINVITE' || action.do === 'UPDATE')
          ? fault('action', 'do', 'offers the session again; with sdp NONE there is no session')
          : []),
      ];
    }),
  ];
}

const HOLDING: readonly string[] = ['HOLD', 'RESUME', 'ATTENDED_TRANSFER'] satisfies Action['action']['do'][];
const HOLDS = `a call holds media, ${NONE}`;
