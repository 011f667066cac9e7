/** The shortcuts of the dashboard: handlers take their keys from this table, and the dialog its list. Pure. */

/** One key, or two one after the other. `Ctrl` is Cmd on a Mac, too. */
export const SHORTCUTS = {
  find: 'Ctrl+K',
  list: '?',
  home: 'g h',
  workers: 'g w',
  tests: 'g t',
  runs: 'g r',
  probes: 'g p',
  calls: 'g c',
  nextCall: 'j',
  previousCall: 'k',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  nearer: '+',
  farther: '-',
  whole: 'Escape',
} as const;
export type ShortcutName = keyof typeof SHORTCUTS;
