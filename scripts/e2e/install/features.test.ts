/** The core is whole without its features. `npm run features` deletes each by itself, and all; a test has time for one step. */
import t from 'tap';
import { FEATURES } from '../../../control-plane/features.ts';
import { withoutFeatures } from '../../features.ts';

t.test('without any feature, types and checks are clean', async (t) => {
  t.same(await withoutFeatures(Object.keys(FEATURES)), []);
});
