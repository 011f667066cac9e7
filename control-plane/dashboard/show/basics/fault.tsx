/** The error of a form, and the link that every error has. */
import { Alert, Anchor } from '@mantine/core';
import { errorPage } from '../../../contract/errors.ts';
import { faultOf, RequestFailed } from '../../api.ts';

/** The code of the API; null: no answer came, or none of the API. */
export const codeOf = (error: Error): string | null =>
  error instanceof RequestFailed && error.code !== 'NO_ENVELOPE' ? error.code : null;

/** To what the documentation says of an error of the API or of a run. */
export const WhatToDo = ({ code }: { code: string | null }) =>
  code !== null && (
    <Anchor href={errorPage(code)} target="_blank" size="sm" underline="always">
      What to do
    </Anchor>
  );

/** The error of a form, unless one of its fields shows it. */
export const Fault = ({ error, fields }: { error: Error | null; fields: readonly string[] }) => {
  if (!error || fields.some((field) => faultOf(error, field))) return null;
  return (
    <Alert color="red" variant="outline" role="alert">
      {error.message.replace(/^\d+ [A-Z_]+: /, '')} <WhatToDo code={codeOf(error)} />
    </Alert>
  );
};
