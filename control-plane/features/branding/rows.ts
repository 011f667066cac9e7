/** The operations about the brand of an organization. */
import * as z from 'zod';
import type { OperationRow } from '../../contract/row.ts';
import { Branding, BrandingChange } from './contract/branding.ts';

const row = { answers: 'single', extension: true, status: 200, versioned: true, path: '/branding' } as const;

export const ROWS = {
  getBranding: {
    ...row,
    method: 'GET',
    summary: 'What the organization shows to readers outside of it: name, logo and colour',
    role: 'VIEWER',
    input: z.object({}),
    output: Branding,
  },
  updateBranding: {
    ...row,
    method: 'PATCH',
    summary: 'Change what the organization shows on status pages, in reports and in mails',
    role: 'ADMIN',
    whole: true,
    input: z.object(BrandingChange),
    output: Branding,
  },
} as const satisfies Record<string, OperationRow>;

export const BODIES = { updateBranding: { name: 'Acme Voice', colour: '#0050a0' } };

type BrandingRows = typeof ROWS;
declare module '../../contract/catalogue.ts' {
  interface FeatureRows extends BrandingRows {}
}
