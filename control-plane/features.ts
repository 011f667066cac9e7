/**
 * The features of this installation, a folder of `features/` each. Without its line here and its folder, a feature is gone:
 * `npm run generate` writes the files `features.*.ts`, which add the operations, jobs, pages and commands of each to the core.
 */
export const FEATURES = ['capacity'] as const;
