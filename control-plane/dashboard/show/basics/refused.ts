/** The fields of a form that were refused. */
import { useEffect, useRef, useState } from 'react';

/** A field that was refused, or a message that stands by itself. */
export const REFUSED = '[aria-invalid="true"], .mantine-InputWrapper-error, .refused';

/**
 * A reference to the form. After an attempt that failed, its first field that was refused gets the focus or, if none was, the
 * message comes into view.
 */
export function useFirstRefused(error: Error | null) {
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState<Error | null>(null);
  // Folded sections open meanwhile: their fields can be focused only once that is drawn.
  useEffect(() => setShown(error), [error]);
  useEffect(() => {
    if (!shown) return;
    const refused = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (refused) refused.focus();
    else form.current?.querySelector(`${REFUSED}, [role="alert"]`)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return form;
}
