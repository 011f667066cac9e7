/** The outline of a recording: it is divided into pieces, and each has its largest sample. Pure. */

/** `channels` have the same length, with samples from -1 to 1. Peaks are from 0 to 1, and are those of the loudest channel. */
function peaksOf(channels: readonly Float32Array[], pieces: number): number[] {
  const length = channels[0]?.length ?? 0;
  const count = Math.min(pieces, length);
  return Array.from({ length: count }, (_, i) => {
    const from = Math.floor((i * length) / count);
    const to = Math.floor(((i + 1) * length) / count);
    let peak = 0;
    for (const samples of channels) {
      for (let n = from; n < to; n++) peak = Math.max(peak, Math.abs(samples[n] as number));
    }
    return Math.min(1, peak);
  });
}

const PIECES = 480;

/** @throws DOMException if the browser cannot decode the sound */
export async function readPeaks(bytes: Uint8Array): Promise<number[]> {
  const context = new OfflineAudioContext(1, 1, 48_000);
  // Decoding detaches the buffer, so a copy is passed.
  const sound = await context.decodeAudioData(bytes.slice().buffer);
  const channels = Array.from({ length: sound.numberOfChannels }, (_, n) => sound.getChannelData(n));
  return peaksOf(channels, PIECES);
}
