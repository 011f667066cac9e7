/** The brand of an organization: its settings, and what the core shows of it. */
import type { Output } from '../../../contract/catalogue.ts';
import { invalid } from '../../../contract/errors.ts';
import type { Brand } from '../../../domain/brand.ts';
import { changing, requireMatch } from '../../../operations/request/change.ts';
import { type Handler, known } from '../../../operations/request/perform.ts';
import type { Tx } from '../../../store/db.ts';
import { lockOrganization } from '../../../store/people/gone-organizations.ts';
import { coloursOf } from '../contract/colours.ts';
import { isNameShown, MAX_LOGO_BYTES, MAX_LOGO_PX } from '../contract/logo.ts';
import { imageOnly, PngError } from '../domain/png.ts';
import { type BrandColumns, findBrand, putBrand } from '../store/brands.ts';

const NONE = { name: null, colour: null, logo: null, logo_width_px: null, logo_height_px: null, version: 0 };

const logoOf = ({ logo, logo_width_px, logo_height_px }: BrandColumns) =>
  logo === null ? null : { bytes: logo, widthPx: logo_width_px ?? 0, heightPx: logo_height_px ?? 0 };

async function view(tx: Tx, organizationId: string): Promise<Output<'getBranding'>> {
  const found = (await findBrand(tx, organizationId)) ?? NONE;
  const { name, colour, version } = found;
  const logo = logoOf(found);
  return {
    name,
    colour,
    logo: logo && { content: logo.bytes.toString('base64'), widthPx: logo.widthPx, heightPx: logo.heightPx },
    version,
  };
}

export const getBranding: Handler<'getBranding'> = ({ ports, actor }) => view(ports.database.db, actor.organizationId);

export const updateBranding = changing<'updateBranding'>(async (context, tx, { logo, ...change }) => {
  const { organizationId: id } = context.actor;
  known('organization', id, await lockOrganization(tx, id));
  const { version, ...present } = (await findBrand(tx, id)) ?? NONE;
  requireMatch(context, version);
  await putBrand(tx, id, {
    ...present,
    ...(change.name !== undefined && { name: change.name }),
    ...(change.colour !== undefined && { colour: change.colour }),
    ...(logo !== undefined && logoColumns(logo)),
  });
  return view(tx, id);
});

const refusal = (message: string) => invalid([{ path: ['logo'], message }]);

/** The bytes say what it is: nobody else does. @throws ApiError VALIDATION_ERROR */
function logoColumns(base64: string | null): Pick<BrandColumns, 'logo' | 'logo_width_px' | 'logo_height_px'> {
  if (base64 === null) return { logo: null, logo_width_px: null, logo_height_px: null };
  const file = Buffer.from(base64, 'base64');
  if (file.toString('base64') !== base64)
    throw refusal('is not base64 (RFC 4648, 4: with padding, without line breaks)');
  if (file.length > MAX_LOGO_BYTES) throw refusal('has more than 64 KiB');
  try {
    const { bytes, widthPx, heightPx } = imageOnly(file, MAX_LOGO_PX);
    return { logo: bytes, logo_width_px: widthPx, logo_height_px: heightPx };
  } catch (error) {
    throw error instanceof PngError ? refusal(error.message) : error;
  }
}

export async function shownBrand(tx: Tx, organizationId: string): Promise<Brand | null> {
  const found = await findBrand(tx, organizationId);
  if (!found || found.name === null) return null;
  const logo = logoOf(found);
  return {
    name: found.name,
    isNameShown: isNameShown(logo),
    logo,
    colours: found.colour === null ? null : coloursOf(found.colour),
  };
}
