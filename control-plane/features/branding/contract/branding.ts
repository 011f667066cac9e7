/** What an organization shows to readers outside of it: its name, its logo and one colour. */
import * as z from 'zod';
import { Version } from '../../../contract/envelope.ts';
import { Text } from '../../../contract/fields.ts';
import { INVISIBLE, isVisible } from '../../../contract/visible.ts';
import { MAX_LOGO_BYTES, MAX_LOGO_PX } from './logo.ts';

export const Branding = z
  .object({
    name: z.string().nullable().describe('null: nothing is shown, neither logo nor colour'),
    colour: z.string().nullable(),
    logo: z.object({ content: z.string().describe('PNG in base64'), widthPx: z.int(), heightPx: z.int() }).nullable(),
    version: Version,
  })
  .meta({ id: 'Branding' });

export const BrandingChange = {
  name: Text.trim().min(1).max(100).refine(isVisible, INVISIBLE).nullable().optional(),
  colour: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, 'must be # and six hexadecimal digits, like #0050a0')
    .toLowerCase()
    .nullable()
    .optional()
    .describe('of the band above pages, reports and mails'),
  logo: z
    .string()
    .min(1)
    .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4, 'has more than 64 KiB')
    .nullable()
    .optional()
    .describe(`PNG in base64 (RFC 4648, 4): at most 64 KiB, ${MAX_LOGO_PX} pixels wide and high`),
};
