/** The parts of the library that `dialog.tsx` loads. */
export { Drawer, Modal } from '@mantine/core';
