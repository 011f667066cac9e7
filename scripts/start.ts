/** `npm start`: starts the service (start/service.ts) with the control plane's flags. */
import { NODE_FLAGS } from '../control-plane/heap.ts';
import { restartWith } from '../proto/base/restart.ts';

restartWith(NODE_FLAGS);
await import('./start/service.ts');
