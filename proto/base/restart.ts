/** Restarts a process with flags of Node.js that only a command line can set, however the program was started. */

/**
 * Replaces this process by the same program with these flags. This has no effect if it already has them. It keeps its process
 * number, its environment and its standard streams, but no channel to a parent: a parent that needs one passes the flags itself.
 * This must be called before anything else is loaded.
 */
export function restartWith(flags: readonly string[]): void {
  const { execve, execPath, execArgv, argv, env, connected, platform } = process;
  if (execve === undefined || platform === 'win32' || connected) return;
  if (flags.every((flag) => execArgv.includes(flag))) return;
  execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], env);
}
