import type { StreamSamples } from '../rtp/figures/sampler.ts';

/** The rows of each owner, in columns again. */
export function splitByOwner(samples: StreamSamples): Map<number, StreamSamples> {
  const parts = new Map<number, StreamSamples>();
  const names = Object.keys(samples) as (keyof StreamSamples)[];
  samples.owner.forEach((owner, i) => {
    let part = parts.get(owner);
    if (!part) {
      part = Object.fromEntries(names.map((name) => [name, [] as number[]])) as StreamSamples;
      parts.set(owner, part);
    }
    for (const name of names) part[name].push(samples[name][i] as number);
  });
  return parts;
}
