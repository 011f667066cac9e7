/** The default place of a project in a repository. */
export const DEFAULT_FILE = 'carillon.yaml';
