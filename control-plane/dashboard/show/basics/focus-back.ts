/** For a dialog that is made when it opens: Mantine returns the focus only for those that were there before. */
import { useEffect, useState } from 'react';

/** When the dialog is gone, what had the focus before it has it again; if that is gone as well, the content of the page. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (isThere ? before : document.getElementById('content'))?.focus({ preventScroll: true });
    },
    [before],
  );
}
