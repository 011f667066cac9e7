/** A mail below the band of an organization: HTML that says what the text says. Pure. */
import type { Brand } from '../brand.ts';
import { html, type Markup } from '../markup.ts';

/** `html`: the same in HTML, which shows the logo, a PNG, as `cid:logo`. */
export type MailContent = {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly logo?: Buffer;
};

const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

const lineOf = (text: string, colour: string): Markup =>
  html`${text.split(ADDRESS).map((part, i) => (i % 2 === 1 ? html`<a href="${part}" style="color:${colour}">${part}</a>` : html`${part}`))}<br>
`;

/** Programs for mail obey styles of elements only, and many of them load nothing from elsewhere: the logo comes with the mail. */
export function brandedMail(
  mail: { readonly subject: string; readonly text: string },
  brand: Brand | null,
): MailContent {
  if (brand === null) return mail;
  const { name, isNameShown, logo, colours } = brand;
  const { band, onBand, linkOnLight } = colours ?? { band: '#ffffff', onBand: '#1f2328', linkOnLight: '#0550ae' };
  const image =
    logo === null
      ? html``
      : html`<img src="cid:logo" alt="${isNameShown ? '' : name}" height="40" style="height:40px;max-width:220px;object-fit:contain;background:#ffffff;padding:4px 6px;border-radius:4px;vertical-align:middle">&nbsp; `;
  const content = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light"></head>
<body style="margin:0;background:#ffffff;color:#1f2328;font:15px/1.5 system-ui,sans-serif">
<div style="background:${band};color:${onBand};padding:12px 20px;border-bottom:1px solid #d1d9e0;overflow-wrap:anywhere">${image}${isNameShown ? html`<b style="font-size:17px;vertical-align:middle">${name}</b>` : html``}</div>
<div style="padding:16px 20px;max-width:640px;overflow-wrap:anywhere">${mail.text
    .trimEnd()
    .split('\n')
    .map((line) => lineOf(line, linkOnLight))}</div>
</body></html>
`;
  return { ...mail, html: content.text, ...(logo && { logo: logo.bytes }) };
}
