/**
 * The fields that forms have, with their kinds and bounds. They are plain: browsers get them without any schema
 * (dashboard/build.ts).
 */
import { kindsOf } from './field-kinds.ts';
import { NewRegistrar } from './project/registrar.ts';

export const REGISTRAR_KINDS = kindsOf(NewRegistrar);
