/** Reads the provisioning file from its text. */
import { ProvisionFile } from './provision.ts';
import { type FileFault, parseYamlFile } from './yaml-file.ts';

/**
 * @param check the rules between parts
 * @throws FileError with all errors, by path and line
 */
export const parseProvisionFile = (
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  check: (file: ProvisionFile) => readonly FileFault[] = () => [],
  name = 'provision.yaml',
): ProvisionFile => parseYamlFile(text, { name, schema: ProvisionFile, check, environment });
