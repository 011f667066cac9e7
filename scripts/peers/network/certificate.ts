/** Certificates for TLS as an operator's tool leaves them: two PEM files. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createIdentity } from '../../../agent/net/text/self-signed.ts';

export type CertificateOnDisk = { readonly certificate: string; readonly key: string };

/** Self-signed, for 127.0.0.1 and ten years. `renew` writes another one. */
export function certificateIn(folder: string) {
  const files: CertificateOnDisk = {
    certificate: path.join(folder, 'certificate.pem'),
    key: path.join(folder, 'key.pem'),
  };
  const make = () => {
    const { certificate, key } = createIdentity('127.0.0.1');
    return { certificate, key: key.reveal() };
  };
  const write = (part: keyof CertificateOnDisk, text: string): void =>
    writeFileSync(files[part], text, { mode: 0o600 });
  const renew = () => {
    const made = make();
    write('key', made.key);
    write('certificate', made.certificate);
    return made;
  };
  return { files, first: renew(), make, write, renew };
}
