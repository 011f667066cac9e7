/** The core names no feature, and the files of a feature that the core reads export what it reads, and nothing else. */
import path from 'node:path';
import { FEATURE_ROWS } from '../../../control-plane/feature-sums/rows.ts';
import { FEATURES } from '../../../control-plane/features.ts';
import { exportsOf, SUMS } from '../../draw-features.ts';
import { ownSources, read } from '../sources.ts';

const OF_FEATURES = /^control-plane\/features[./]/;

/** Operations of features in product code of the core, and unknown exports of features, one line each. */
export const featureNames = (): string[] => [...namedInCore(), ...unknownExports()];

function namedInCore(): string[] {
  const names = Object.keys(FEATURE_ROWS);
  return ownSources()
    .filter((file) => !OF_FEATURES.test(file) && !file.startsWith('scripts/'))
    .flatMap((file) => names.filter((name) => read(file).includes(`'${name}'`)).map((name) => `${file} names ${name}`));
}

/** An export with another name would be left out of the sums without a word. */
const unknownExports = (): string[] =>
  Object.keys(FEATURES).flatMap((feature) =>
    Object.entries(SUMS).flatMap(([file, sums]) =>
      exportsOf(feature, file)
        .filter((name) => !sums.some(({ of }) => of === name))
        .map(
          (name) =>
            `${path.posix.join('control-plane/features', feature, file)} exports ${name}, which the core does not read`,
        ),
    ),
  );
