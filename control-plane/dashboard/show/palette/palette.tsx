/**
 * The palette: a field, and what it finds. The arrow keys choose, Enter goes there, Escape closes. It is loaded when it is first
 * asked for.
 */
import { Loader, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react';
import { navigate, useParams } from '../../router.tsx';
import { usePaletteEntries } from './palette-entries.ts';
import { foundEntries, type PaletteEntry } from './palette-model.ts';

const TYPING_MS = 250;

type Props = {
  readonly pages: readonly { readonly to: string; readonly label: string }[];
  readonly onClose: () => void;
};

export default function Palette({ pages, onClose }: Props) {
  const { projectId } = useParams() as { projectId?: string };
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text, TYPING_MS);
  const { entries, isLoading } = usePaletteEntries(projectId, typed);
  const menu = pages.map(({ to, label }): PaletteEntry => ({ kind: 'Pages', label, detail: '', to }));
  // What the server found belongs to the text that it was asked for.
  const current = typed === text ? entries : entries.filter(({ isFound }) => !isFound);
  const found = foundEntries([...menu, ...current], text);
  const [at, setAt] = useState(0);
  const chosen = Math.min(at, found.length - 1);
  useEffect(() => {
    document.getElementById(idOf(chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const go = ({ to }: PaletteEntry) => {
    onClose();
    // The documentation is a site of its own.
    if (to.startsWith('/docs/')) window.location.assign(to);
    else {
      const { pathname, search } = new URL(to, window.location.origin);
      void navigate({ to: pathname, search: Object.fromEntries(new URLSearchParams(search)) });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const entry = found[chosen];
    if (step !== undefined && found.length > 0) setAt((chosen + step + found.length) % found.length);
    else if (event.key === 'Enter' && entry) go(entry);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, entry: PaletteEntry) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(entry);
  };
  const isWaiting = isLoading || typed !== text;
  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="10vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Find anything">
        <Modal.Body p={0}>
          <div className="palette-field">
            <input
              data-autofocus
              role="combobox"
              aria-label="Find anything"
              aria-expanded={found.length > 0}
              aria-controls="palette-found"
              aria-autocomplete="list"
              aria-activedescendant={found.length > 0 ? idOf(chosen) : undefined}
              autoComplete="off"
              spellCheck={false}
              placeholder="A test, a run, a number called, a Call-ID, a page …"
              value={text}
              onChange={(e) => {
                setText(e.target.value);
                setAt(0);
              }}
              onKeyDown={onKeyDown}
            />
            {isWaiting && <Loader size={16} role="status" aria-label="Searching" />}
          </div>
          <div role="listbox" id="palette-found" aria-label="Found" className="palette-found">
            {found.map((entry, n) => (
              <a
                key={`${entry.kind} ${entry.to}`}
                id={idOf(n)}
                role="option"
                aria-selected={n === chosen}
                tabIndex={-1}
                href={entry.to}
                onClick={(event) => onClick(event, entry)}
                onMouseMove={() => setAt(n)}
              >
                <span className="palette-kind">{found[n - 1]?.kind === entry.kind ? '' : entry.kind}</span>
                <span className="palette-label">
                  {entry.label}
                  {entry.detail !== '' && <small>{entry.detail}</small>}
                </span>
              </a>
            ))}
          </div>
          <p className="palette-note" aria-live="polite">
            {found.length === 0 && !isWaiting ? 'Nothing found. ' : ''}
            {projectId === undefined
              ? 'All projects are searched; calls of very large runs only within their project.'
              : 'Tests, runs, probes and calls of this project.'}
          </p>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

const idOf = (n: number): string => `palette-${n}`;
