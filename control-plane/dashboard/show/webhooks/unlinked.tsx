/** Says that messages have no link to the dashboard, and which setting makes one. */
import { Alert } from '@mantine/core';
import { useMe } from '../../me.tsx';

export const Unlinked = () =>
  useMe().publicUrl === null && (
    <Alert color="orange" variant="outline" title="Messages have no link to Carillon">
      This installation does not know its own address. To make links, its operator sets <code>CARILLON_PUBLIC_URL</code>
      , for example <code>https://carillon.example</code>, and restarts it.
    </Alert>
  );
