/**
 * Changes of keys, members or secrets need a recent confirmation. It is requested here once, and refused requests are repeated.
 */
import { lazy, Suspense, useEffect, useState } from 'react';
import { whenProofIsNeeded } from './api.ts';

type PendingProof = { readonly given: () => void; readonly refused: () => void };

/** The dialog is loaded when it is needed. */
const ProofDialog = lazy(() => import('./proof-dialog.tsx'));

export function Proof() {
  const [waiting, setWaiting] = useState<readonly PendingProof[]>([]);
  useEffect(
    () =>
      whenProofIsNeeded(
        () => new Promise((given, refused) => setWaiting((all) => [...all, { given, refused: () => refused() }])),
      ),
    [],
  );
  const end = (isGiven: boolean) => {
    for (const one of waiting) one[isGiven ? 'given' : 'refused']();
    setWaiting([]);
  };
  return waiting.length > 0 && <Suspense fallback={null}>{<ProofDialog onEnd={end} />}</Suspense>;
}
