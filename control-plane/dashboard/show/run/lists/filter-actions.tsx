/** What features do with the filters of a list. */
import { Loader } from '@mantine/core';
import { Suspense } from 'react';
import { FEATURE_PAGES } from '../../../../feature-sums/pages.ts';
import type { FeaturePages, FilterProps } from '../../../feature.ts';

type Props = Pick<FilterProps, 'projectId' | 'list'> & {
  readonly search: Readonly<Record<string, string | undefined>>;
  /** The names of all filters, each without a value. */
  readonly none: Readonly<Record<string, undefined>>;
  readonly onChange: (search: Readonly<Record<string, string | undefined>>) => void;
};

const FEATURES: readonly FeaturePages[] = FEATURE_PAGES;

export function FilterActions({ projectId, list, search, none, onChange }: Props) {
  const ofFilters = (values: Props['search']) =>
    Object.fromEntries(Object.keys(none).flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  return FEATURES.flatMap(({ filterActions = [] }) =>
    filterActions.map(([key, Action]) => (
      <Suspense key={key} fallback={<Loader size="xs" role="status" aria-label="Loading" />}>
        <Action
          projectId={projectId}
          list={list}
          search={ofFilters(search)}
          onOpen={(values) => onChange({ ...none, ...ofFilters(values) })}
        />
      </Suspense>
    )),
  );
}
