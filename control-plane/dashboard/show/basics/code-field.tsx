/** The field for the code of a second factor. It is shown when the server reports that the account has one. */
import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { faultOf, RequestFailed } from '../../api.ts';

const isAsking = (error: unknown): boolean => error instanceof RequestFailed && error.code === 'CODE_REQUIRED';

type CodeRequest = {
  readonly isAsked: boolean;
  readonly code: string;
  readonly setCode: (code: string) => void;
  /** The error to show. A request for a code is not an error. */
  readonly fault: Error | null;
  readonly startAgain: () => void;
};

/** @param error the error of the request that may need a code */
export function useCodeRequest(error: Error | null): CodeRequest {
  const [isAsked, setAsked] = useState(false);
  const [code, setCode] = useState('');
  useEffect(() => {
    if (isAsking(error)) setAsked(true);
  }, [error]);
  const startAgain = () => {
    setAsked(false);
    setCode('');
  };
  return { isAsked, code, setCode, fault: isAsking(error) ? null : error, startAgain };
}

type Props = {
  readonly code: string;
  readonly setCode: (code: string) => void;
  readonly error: Error | null;
  /** True: the field has the initial focus. */
  readonly focused?: boolean;
  /** True: the code is from an authenticator that is being set up, so a recovery code is not accepted. */
  readonly isFirst?: boolean;
};

export const CodeField = ({ code, setCode, error, focused, isFirst }: Props) => (
  <TextInput
    label="Code"
    description={
      isFirst ? 'The six digits that the app shows now.' : 'Six digits from your authenticator app, or a recovery code.'
    }
    required
    {...(focused && { autoFocus: true, 'data-autofocus': true })}
    autoComplete="one-time-code"
    {...(isFirst && { inputMode: 'numeric' as const })}
    value={code}
    onChange={(e) => setCode(e.target.value)}
    error={faultOf(error, 'code')}
  />
);
