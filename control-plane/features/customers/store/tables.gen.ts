/** The tables of the feature. Generated: npm run generate. */

export interface ProjectUsageMonths {
  endpoint_seconds: number;
  month: string;
  organization_id: string;
  project_id: string;
  runs: number;
}

declare module '../../../store/tables.gen.ts' {
  interface DB {
    project_usage_months: ProjectUsageMonths;
  }
}
