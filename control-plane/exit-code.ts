/** What a process that has closed everything exits with: 0, or 1 where something would not close, once that is told. */
export const exitCode = (closing: Promise<void> | undefined, tell: (message: string) => void = console.error) =>
  Promise.resolve(closing).then(
    () => 0,
    (error: Error) => {
      tell(error.message);
      return 1;
    },
  );
