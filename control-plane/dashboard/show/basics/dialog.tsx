/** Dialogs and drawers. Their part of the library is loaded when the first one is opened. */
import type { DrawerProps, ModalProps } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useState } from 'react';

const LoadedModal = lazy(() => import('./loaded-dialogs.ts').then((all) => ({ default: all.Modal })));
const LoadedDrawer = lazy(() => import('./loaded-dialogs.ts').then((all) => ({ default: all.Drawer })));

export const Modal = (props: ModalProps) => <OnceOpened of={LoadedModal} props={props} />;
export const Drawer = (props: DrawerProps) => <OnceOpened of={LoadedDrawer} props={props} />;

type Opening<P> = { readonly of: ComponentType<P>; readonly props: P };

function OnceOpened<P extends { opened: boolean }>({ of: Loaded, props }: Opening<P>) {
  const [wasOpened, setOpened] = useState(false);
  if (props.opened && !wasOpened) setOpened(true);
  return (
    wasOpened && (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    )
  );
}
