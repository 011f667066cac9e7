/** A brand as readers see it, on light and on dark pages. */
import { Stack, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { number } from '../../../dashboard/show/basics/figures.ts';
import { coloursOf, contrast, DARK_PAGE, LIGHT_PAGE } from '../contract/colours.ts';
import { isNameShown } from '../contract/logo.ts';

type Shown = { readonly name: string; readonly logo: Output<'getBranding'>['logo']; readonly colour: string | null };
type Colours = ReturnType<typeof coloursOf>;

const PAGES = [
  { scheme: 'light', page: LIGHT_PAGE, text: '#1f2328', line: '#d1d9e0', link: 'linkOnLight', usual: '#0550ae' },
  { scheme: 'dark', page: DARK_PAGE, text: '#f0f6fc', line: '#3d444d', link: 'linkOnDark', usual: '#79c0ff' },
] as const;

export function BrandPreview({ name, logo, colour }: Shown) {
  const colours = colour === null ? null : coloursOf(colour);
  return (
    <Stack gap="sm" aria-label="Preview" role="group">
      {PAGES.map(({ scheme, page, text, line, link, usual }) => (
        <div
          key={scheme}
          style={{ background: page, color: text, border: `1px solid ${line}`, borderRadius: 6, overflow: 'hidden' }}
        >
          {name !== '' && <Band name={name} logo={logo} colours={colours} line={line} />}
          <div style={{ padding: '10px 14px' }}>
            A {scheme} page with{' '}
            <span style={{ color: name !== '' && colours ? colours[link] : usual, textDecoration: 'underline' }}>
              a link
            </span>
          </div>
        </div>
      ))}
      {colours && (
        <Text size="xs" c="dimmed">
          Text on the band is {colours.onBand === '#ffffff' ? 'white' : 'black'}, with a contrast of{' '}
          {number(contrast(colours.band, colours.onBand), 1)} : 1. Links are {colours.linkOnLight} on light and{' '}
          {colours.linkOnDark} on dark pages: at least 4.5 : 1.
        </Text>
      )}
    </Stack>
  );
}

type BandProps = Omit<Shown, 'colour'> & { readonly colours: Colours | null; readonly line: string };

/** The band is drawn as the core draws it above pages. */
const Band = ({ name, logo, colours, line }: BandProps) => (
  <div
    style={{
      display: 'flex',
      alignItems: 'center',
      gap: 12,
      padding: '10px 14px',
      ...(colours ? { background: colours.band, color: colours.onBand } : { borderBottom: `1px solid ${line}` }),
    }}
  >
    {logo && (
      <img
        src={`data:image/png;base64,${logo.content}`}
        alt={isNameShown(logo) ? '' : name}
        style={{
          height: 44,
          maxWidth: 'min(256px, 100%)',
          objectFit: 'contain',
          boxSizing: 'border-box',
          padding: '4px 6px',
          borderRadius: 4,
          background: '#fff',
        }}
      />
    )}
    {isNameShown(logo) && <b style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{name}</b>}
  </div>
);
