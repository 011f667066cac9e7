/** The browser's part of passkeys. Its code is loaded when a passkey is first used. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { call } from '../../../dashboard/api.ts';

const library = () => import('@simplewebauthn/browser');

/** True: this page, at its address, can use passkeys that are bound to `host`. */
export const mayUsePasskeys = (host: string | null | undefined): boolean => {
  const { hostname } = window.location;
  return (
    host != null && window.PublicKeyCredential !== undefined && (hostname === host || hostname.endsWith(`.${host}`))
  );
};

/** The words for an error in the browser. */
function inWords(error: unknown): Error {
  const { name } = error as Error;
  if (name === 'NotAllowedError' || name === 'AbortError')
    return new Error('No passkey was given: it was cancelled, took too long, or there is none for this site.');
  if (name === 'InvalidStateError') return new Error('This device already has a passkey for this account.');
  return error as Error;
}

/** @throws Error in words for people, as do the functions below */
export const makePasskey = (name: string): Promise<void> =>
  spoken(async () => {
    const { startRegistration } = await library();
    const { options } = await call('beginPasskey', {});
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    await call('addPasskey', { name, answer: { ...(await startRegistration({ optionsJSON })) } as never });
  });

const spoken = (act: () => Promise<void>): Promise<void> =>
  act().catch((error: unknown) => {
    throw inWords(error);
  });

export const logInByPasskey = async (): Promise<true> => {
  await signed('beginPasskeyLogIn', 'logInByPasskey');
  return true;
};
export const proveByPasskey = () => signed('beginPasskeyProof', 'proveMeByPasskey');

const signed = (
  begin: 'beginPasskeyLogIn' | 'beginPasskeyProof',
  finish: 'logInByPasskey' | 'proveMeByPasskey',
): Promise<void> =>
  spoken(async () => {
    const { startAuthentication } = await library();
    const { options } = await call(begin, {});
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
    await call(finish, { answer: { ...(await startAuthentication({ optionsJSON })) } as never });
  });
