/** A test whose capacity can be found: short calls, so that a trial need not wait for them. Pure. */
import type { TestTemplate } from '../../../dashboard/show/test-form/drafts/templates.ts';

export const CAPACITY_TEMPLATE: TestTemplate = {
  place: 15,
  name: 'Capacity',
  sentence: 'Short calls: a search then raises their rate.',
  does: 'CALL',
  draft: {
    load: { shape: 'RATE', callsPerSecond: 5, seconds: 30 },
    durationSeconds: 5,
    endpoints: 32,
    callsEach: null,
  },
  judgedBy: ['successShare'],
};
