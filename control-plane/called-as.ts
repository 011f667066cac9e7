/** How the operator of this installation calls a command: by npm in a checkout, by the program of a package elsewhere. */
export const calledAs = (command: string): string =>
  import.meta.filename.endsWith('.ts') ? `npm run ${command} --` : `carillon-control-plane ${command}`;
