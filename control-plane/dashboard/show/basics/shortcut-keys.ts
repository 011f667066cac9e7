/** Keys that are pressed, as shortcuts. */
import { useEffect, useRef } from 'react';
import { SHORTCUTS, type ShortcutName } from './shortcuts.ts';

/** The second key of two follows the first within this time. */
const PAUSE_MS = 1500;

/** Letters can be switched off, for people whose voice or hand types some by mistake (WCAG 2.2, 2.1.4). */
export const LETTERS = 'carillon-letters';
export const areLettersOn = (): boolean => localStorage.getItem(LETTERS) !== 'off';

/** While the component is there, the named shortcuts do this. */
export function useShortcuts(does: { readonly [name in ShortcutName]?: (() => void) | undefined }): void {
  const last = useRef({ key: '', atMs: 0 });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyOf(event);
      if (key === null) return;
      const { key: first, atMs } = last.current;
      last.current = { key, atMs: event.timeStamp };
      const both = event.timeStamp - atMs < PAUSE_MS ? `${first} ${key}` : key;
      const names = Object.keys(does) as ShortcutName[];
      const name = [both, key].flatMap((keys) => names.find((one) => SHORTCUTS[one] === keys) ?? [])[0];
      if (name === undefined || !does[name]) return;
      event.preventDefault();
      does[name]();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

/** Null: it belongs to a field that has the focus, to an open dialog, or to the browser. */
function keyOf({ key, target, metaKey, ctrlKey, altKey, shiftKey, defaultPrevented }: KeyboardEvent): string | null {
  if (altKey || defaultPrevented) return null;
  if (ctrlKey || metaKey) return shiftKey ? null : `Ctrl+${key.toUpperCase()}`;
  const isTyped =
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
  return isTyped || document.querySelector('[role=dialog]') !== null || !areLettersOn() ? null : key;
}
