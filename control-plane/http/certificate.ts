/**
 * The certificate of this control plane: two PEM files that are read again when they change. New connections get the new one; as
 * long as the files cannot be used, they get the one before.
 */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { readText } from '@carillon/proto/base/files.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Log } from '../ports.ts';

export type CertificateFiles = { readonly certificate: string; readonly key: string };

/** What the files hold, found usable: PEM. */
export type CertificatePair = { readonly certificate: string; readonly key: Secret; readonly leaf: X509Certificate };

export type Certificate = {
  /** The form that a server of TLS wants. */
  present(): SecureContextOptions;
  /** @param take is called with each certificate that follows the present one */
  onRenewed(take: (next: SecureContextOptions) => void): void;
  /** What an operator must do about it; null: nothing. */
  trouble(now: Date): string | null;
  close(): void;
};

/** A look reads two small files. */
const LOOK_EVERY_MS = 5_000;
const DAY_MS = 86_400_000;
/** Tools renew certificates weeks before their end: one that is nearer to it was not renewed. */
const SOON_MS = 7 * DAY_MS;

/** @throws Error that names the file or both settings */
export async function readPair(files: CertificateFiles): Promise<CertificatePair> {
  const certificate = await readText('The certificate (CARILLON_TLS_CERTIFICATE)', files.certificate);
  const key = new Secret(await readText('The private key (CARILLON_TLS_KEY)', files.key));
  try {
    createSecureContext(contextOf({ certificate, key }));
    return { certificate, key, leaf: new X509Certificate(certificate) };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `${files.certificate} and ${files.key} cannot be used for TLS (CARILLON_TLS_CERTIFICATE, CARILLON_TLS_KEY): ${message}`,
      { cause: error },
    );
  }
}

const contextOf = ({ certificate, key }: Omit<CertificatePair, 'leaf'>): SecureContextOptions => ({
  cert: certificate,
  key: key.reveal(),
});

/** What is wrong with the dates of a certificate; null: nothing. */
export function datesTrouble({ validFromDate, validToDate }: X509Certificate, now: Date): string | null {
  const day = validToDate.toISOString().slice(0, 10);
  if (now < validFromDate)
    return `The certificate is valid from ${validFromDate.toISOString()} on: check the clock of this host.`;
  if (now > validToDate) return `The certificate ended on ${day}: nobody can connect any more. Renew it.`;
  if (validToDate.getTime() - now.getTime() < SOON_MS)
    return `The certificate ends on ${day}: renew it. The renewed files are taken up without a restart.`;
  return null;
}

/** @throws Error as readPair does. @param everyMs how often it looks whether the files have changed */
export async function openCertificate(
  files: CertificateFiles,
  log: Log,
  everyMs = LOOK_EVERY_MS,
): Promise<Certificate> {
  let pair = await readPair(files);
  let fault = '';
  let takers: ((next: SecureContextOptions) => void)[] = [];
  let isLooking = false;

  async function look(): Promise<void> {
    try {
      const next = await readPair(files);
      if (fault !== '' || next.certificate !== pair.certificate || next.key.reveal() !== pair.key.reveal()) {
        pair = next;
        fault = '';
        for (const take of takers) take(contextOf(pair));
        log.info({ until: pair.leaf.validToDate.toISOString() }, 'the certificate was read again');
      }
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) log.warn({ error: message }, 'the certificate cannot be used, the one before is kept');
      fault = message;
    }
  }

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, everyMs).unref();
  return {
    present: () => contextOf(pair),
    onRenewed: (take) => void takers.push(take),
    trouble: (now) =>
      fault === ''
        ? datesTrouble(pair.leaf, now)
        : `${fault}. The certificate before it is still used, until ${pair.leaf.validToDate.toISOString().slice(0, 10)}.`,
    close() {
      clearInterval(timer);
      takers = [];
    },
  };
}
