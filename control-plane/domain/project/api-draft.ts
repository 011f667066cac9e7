/** The tests and probes of requests as drafts: they refer to other objects by ids. Pure. */
import type { GroupBody, ProbeCall } from '../../contract/test-settings/test-body.ts';
import type { ProbeMode } from '../../contract/test-settings/words.ts';
import { oneCall } from './one-call.ts';
import type { GroupDraft, TestDraft } from './test-draft.ts';

export const groupDrafts = (groups: readonly GroupBody[]): GroupDraft[] => {
  const names = new Map(groups.flatMap((g) => (g.id === undefined ? [] : [[g.id, g.name] as const])));
  return groups.map((g) => ({
    ...g,
    registrar: g.registrarId,
    callee: calleeDraft(g.callee, names),
    placement: placementDraft(g.placement),
    mediaTracks: g.mediaTracks.map((t) => ({ ...t, mediaFile: t.mediaFileId })),
    subPopulations: g.subPopulations.map((s) => ({ ...s, accounts: s.sipAccountIds })),
  }));
};

export const callDraft = (call: ProbeCall, mode: ProbeMode): TestDraft =>
  oneCall({ ...call, registrar: call.registrarId, placement: placementDraft(call.placement) }, mode);

/** A group is called by its name, which the body has even if it gives an id. */
function calleeDraft(callee: GroupBody['callee'], names: ReadonlyMap<string, string>): GroupDraft['callee'] {
  if (callee.mode !== 'GROUP') return callee;
  return { mode: 'GROUP', group: callee.group ?? names.get(callee.groupId ?? '') ?? '' };
}

const placementDraft = (placement: GroupBody['placement']): GroupDraft['placement'] =>
  placement.mode === 'REGION' ? placement : { mode: 'WORKERS', workers: placement.workerIds };
