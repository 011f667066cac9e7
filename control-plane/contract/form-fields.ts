/**
 * The fields that forms have, with their kinds and bounds. They are plain: browsers get them without any schema
 * (dashboard/build.ts).
 */
import { kindsOf } from './field-kinds.ts';
import { Description, Endpoints, Name, PROBE_DEFAULTS } from './fields.ts';
import { NewRegistrar } from './project/registrar.ts';
import { GROUP_SETTINGS, schemasOf, TRACK_SETTINGS } from './test-settings/settings.ts';
import { WRITTEN_TEST } from './test-settings/written.ts';

export const GROUP_KINDS = kindsOf(schemasOf(GROUP_SETTINGS));
export const TRACK_KINDS = kindsOf(schemasOf(TRACK_SETTINGS));
export const POPULATION_KINDS = kindsOf({ endpoints: Endpoints });
export const TEST_KINDS = kindsOf(WRITTEN_TEST);
export const REGISTRAR_KINDS = kindsOf(NewRegistrar);
export const PROBE_KINDS = kindsOf({ name: Name, description: Description, ...PROBE_DEFAULTS });
