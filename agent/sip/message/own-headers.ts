/** Header fields that the owner of a user agent adds to its requests. */
import { headerText } from './wire-text.ts';

/** `method`: of requests with the header. INVITE: those that create a call. */
export type OwnHeader = {
  readonly method: 'INVITE' | 'REGISTER' | 'BYE';
  readonly name: string;
  readonly value: string;
};

export const NO_HEADERS: readonly OwnHeader[] = [];

/** Lines without their ends; a field without a value is left out. */
export const ownHeaderLines = (headers: readonly OwnHeader[], method: OwnHeader['method']): string[] =>
  headers.flatMap((header) =>
    header.method === method && header.value !== '' ? [`${headerText(header.name)}: ${headerText(header.value)}`] : [],
  );
