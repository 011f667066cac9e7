/** The button that opens the dialog of a capacity search. The dialog is loaded with the first click. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { SearchDraft } from './search-draft.ts';

const NewSearch = lazy(() => import('./new-search.tsx'));

type Props = {
  readonly projectId: string;
  readonly label: string;
  readonly filled?: boolean;
  readonly first?: Partial<SearchDraft>;
};

export function FindCapacity({ projectId, label, filled = false, first = {} }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant={filled ? 'filled' : 'default'} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <NewSearch projectId={projectId} first={first} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

type OfTest = { readonly projectId: string; readonly testId: string };

export const CapacityOfTest = ({ projectId, testId }: OfTest) => (
  <FindCapacity projectId={projectId} label="Find the capacity" first={{ testId }} />
);
