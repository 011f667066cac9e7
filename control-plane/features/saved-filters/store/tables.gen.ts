/** The tables of the feature. Generated: npm run generate. */

export interface SavedFilters {
  id: string;
  list: string;
  name: string;
  project_id: string;
  query: string;
  user_id: string;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    saved_filters: SavedFilters;
  }
}
