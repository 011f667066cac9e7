/** What is meant where a test says nothing, as plain values: browsers get these without any schema (dashboard/vite.config.ts). */
import { GROUP_SETTINGS, SUB_POPULATION_SETTINGS, TEST_SETTINGS, TRACK_SETTINGS, unsaidOf } from './settings.ts';

export const UNSAID_GROUP = unsaidOf(GROUP_SETTINGS);
export const UNSAID_SUB_POPULATION = unsaidOf(SUB_POPULATION_SETTINGS);
export const UNSAID_TRACK = unsaidOf(TRACK_SETTINGS);
export const UNSAID_TEST = unsaidOf(TEST_SETTINGS);
