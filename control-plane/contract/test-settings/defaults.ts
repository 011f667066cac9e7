/**
 * The values that apply if a test does not state any. They are plain: browsers get them without any schema (dashboard/build.ts).
 */
import { defaultsOf, GROUP_SETTINGS, SUB_POPULATION_SETTINGS, TEST_SETTINGS, TRACK_SETTINGS } from './settings.ts';

export const DEFAULT_GROUP = defaultsOf(GROUP_SETTINGS);
export const DEFAULT_SUB_POPULATION = defaultsOf(SUB_POPULATION_SETTINGS);
export const DEFAULT_TRACK = defaultsOf(TRACK_SETTINGS);
export const DEFAULT_TEST = defaultsOf(TEST_SETTINGS);
