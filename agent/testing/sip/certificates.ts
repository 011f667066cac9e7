/** Certificates for tests, made with the openssl program: authorities, servers with chosen names, clients. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Pair = {
  readonly certificate: string;
  readonly key: string;
  readonly certificateFile: string;
  readonly keyFile: string;
};

export class Authority {
  readonly folder = mkdtempSync(join(tmpdir(), 'carillon-ca-'));
  readonly file = join(this.folder, 'ca.pem');
  readonly certificate: string;

  constructor(name: string) {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', this.#path('ca.key')];
    openssl(['req', '-x509', ...key, '-out', this.file, '-days', '2', '-subj', `/CN=${name}`]);
    this.certificate = readFileSync(this.file, 'utf8');
  }

  /** `names`: subjectAltName as openssl writes it, `DNS:pbx.example,URI:sip:pbx.example`; '' for none. `days` may be negative: expired. */
  issue(commonName: string, names: string, days = 2): Pair {
    const id = `leaf-${Math.random().toString(36).slice(2)}`;
    const [certificateFile, keyFile, request, extensions] = ['pem', 'key', 'csr', 'ext'].map((end) =>
      this.#path(`${id}.${end}`),
    ) as [string, string, string, string];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
    openssl(['req', ...key, '-out', request, '-subj', `/CN=${commonName}`]);
    writeFileSync(extensions, names === '' ? 'basicConstraints=CA:FALSE\n' : `subjectAltName=${names}\n`);
    const signing = ['-CA', this.file, '-CAkey', this.#path('ca.key'), '-CAcreateserial', '-extfile', extensions];
    openssl(['x509', '-req', '-in', request, ...signing, '-out', certificateFile, '-days', String(days)]);
    return {
      certificate: readFileSync(certificateFile, 'utf8'),
      key: readFileSync(keyFile, 'utf8'),
      certificateFile,
      keyFile,
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #path(name: string): string {
    return join(this.folder, name);
  }
}

const openssl = (args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
