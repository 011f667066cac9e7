/** Dialogs and drawers. Their part of the library is loaded when the first one is opened. */
import type { DrawerProps, ModalProps } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useState } from 'react';

/** A component that is loaded when it is opened for the first time. */
export function onceOpened<P extends { readonly opened: boolean }>(load: () => Promise<ComponentType<P>>) {
  const Loaded = lazy(async () => ({ default: await load() })) as ComponentType<P>;
  return (props: P) => {
    const [wasOpened, setOpened] = useState(false);
    if (props.opened && !wasOpened) setOpened(true);
    return (
      wasOpened && (
        <Suspense fallback={null}>
          <Loaded {...props} />
        </Suspense>
      )
    );
  };
}

export const Modal = onceOpened<ModalProps>(async () => (await import('./loaded-dialogs.ts')).Modal);
export const Drawer = onceOpened<DrawerProps>(async () => (await import('./loaded-dialogs.ts')).Drawer);
