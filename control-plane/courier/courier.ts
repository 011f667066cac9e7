/** Everything that the control plane sends to users' own receivers without a request. */
import type { Courier } from '../ports.ts';
import { type PostOptions, post, refusal } from './post.ts';

export const openCourier = (options: PostOptions): Courier => ({
  refusal: (url) => refusal(url, options),
  post: (request) => post(request, options),
});
