/** The request of `--canary`. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import type { StartPart } from '../../../cli/options.ts';
import { type Api, choose, everyRow } from '../../../cli/session/api.ts';

export type CanaryOptions = { readonly canaryCalls?: number; readonly canaryEvery?: number };

/** The part of the request's body, and the same in words. @throws Stop if there is no such probe */
export async function canaryStart(
  api: Api,
  reference: string,
  { canaryCalls, canaryEvery }: CanaryOptions,
): Promise<StartPart> {
  const { id: projectId } = await api.project();
  const probe = choose('probe', await everyRow(api.call, 'listProbes', { projectId }), reference);
  return {
    line: `Canary: ${plain(probe.name)}, before the load and while it is on.`,
    body: {
      canary: {
        probeId: probe.id,
        ...(canaryCalls !== undefined && { calls: canaryCalls }),
        ...(canaryEvery !== undefined && { everySeconds: canaryEvery }),
      },
    },
  };
}
