/** A box for content that may be wider than the screen. It scrolls by touch, wheel and keys. */
import type { ReactNode } from 'react';

export const ScrollBox = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, keys could not scroll it
  <section className="scroll" tabIndex={0} aria-label={label}>
    {children}
  </section>
);
