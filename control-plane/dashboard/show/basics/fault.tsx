/** The error of a form. */
import { Alert } from '@mantine/core';
import { faultOf } from '../../api.ts';

/** The error of a form, unless one of its fields shows it. */
export const Fault = ({ error, fields }: { error: Error | null; fields: readonly string[] }) => {
  if (!error || fields.some((field) => faultOf(error, field))) return null;
  return (
    <Alert color="red" variant="outline" role="alert">
      {error.message.replace(/^\d+ [A-Z_]+: /, '')}
    </Alert>
  );
};
