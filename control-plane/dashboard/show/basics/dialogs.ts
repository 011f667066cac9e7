/**
 * What is true of all dialogs. When one goes, the focus is where it was last: Mantine returns it to the opener, but not if that is
 * gone or busy, nor from a dialog that is made when it opens, nor from one that follows another. And Escape closes one dialog:
 * every dialog of Mantine hears it, also the form below that is still needed.
 */

/** So many elements that had the focus are remembered. */
const MAX_REMEMBERED = 30;
const DIALOG = '[role=dialog]';

const isDialog = (node: Node): boolean =>
  node instanceof HTMLElement && (node.matches(DIALOG) || node.querySelector(DIALOG) !== null);

/** For as long as the page lives; it has to be called before the first dialog is made. */
export function tendDialogs(): void {
  returnFocus();
  window.addEventListener('keydown', closeOne, { capture: true });
}

/**
 * What cannot have the focus now is passed over. What has it may go a moment later, as the menu or the row does that opened the
 * dialog: until the user does something, the next one has it then.
 */
function returnFocus(): void {
  let had: readonly HTMLElement[] = [];
  let isAfterDialog = false;
  for (const act of ['keydown', 'pointerdown'])
    window.addEventListener(act, () => (isAfterDialog = false), { capture: true });
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) had = [target, ...had.filter((one) => one !== target)].slice(0, MAX_REMEMBERED);
  });
  new MutationObserver((changes) => {
    isAfterDialog ||= changes.some(({ removedNodes }) => [...removedNodes].some(isDialog));
    if (!isAfterDialog || document.activeElement !== document.body) return;
    had = had.filter((one) => one.isConnected);
    for (const one of [...had, document.getElementById('content')]) {
      one?.focus({ preventScroll: true });
      if (document.activeElement !== document.body) return;
    }
  }).observe(document.body, { childList: true, subtree: true });
}

/** A list that is open in a dialog takes the key itself, and says so by that attribute. */
function closeOne(event: KeyboardEvent): void {
  const dialogs = [...document.querySelectorAll(DIALOG)];
  if (event.key !== 'Escape' || event.isComposing || dialogs.length < 2) return;
  if (event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true') return;
  event.stopImmediatePropagation();
  dialogs.at(-1)?.querySelector<HTMLElement>('[aria-label=Close]')?.click();
}
