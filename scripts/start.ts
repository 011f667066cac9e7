/** `npm start`: starts the service (service.ts) with the control plane's flags. */
import { NODE_FLAGS } from '../control-plane/heap.ts';
import { restartWith } from '../proto/base/restart.ts';

restartWith(NODE_FLAGS);
await import('./service.ts');
