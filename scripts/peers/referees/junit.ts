/** xmllint (libxml2), with the schema of JUnit reports that Jenkins reads. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { validateXML } from 'xmllint-wasm';

const schema = readFile(path.join(import.meta.dirname, 'junit.xsd'), 'utf8');

/** What xmllint has against a report; empty: it is valid. */
export async function junitErrors(report: string): Promise<string[]> {
  const { valid, errors } = await validateXML({
    xml: [{ fileName: 'report.xml', contents: report }],
    schema: [await schema],
  });
  return valid ? [] : errors.map(({ message, rawMessage }) => message || rawMessage);
}
