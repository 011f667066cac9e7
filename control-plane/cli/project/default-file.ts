/** Where a project stands in a repository, unless another file is named. */
export const DEFAULT_FILE = 'carillon.yaml';
