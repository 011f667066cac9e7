/**
 * A player for a recording, with its waveform. The recording is fetched once, as the user who is logged in, and played and drawn
 * from memory.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { call } from '../../../api.ts';
import { duration } from '../../basics/figures.ts';
import { Answer } from '../../basics/page.tsx';
import { readPeaks } from './waveform.ts';

type File = Output<'getMediaFile'>;
type Sound = { readonly url: string; readonly peaks: readonly number[] | null };

export function Player({ projectId, file }: { projectId: string; file: File }) {
  const sound = useQuery<Sound>({
    queryKey: ['sound', projectId, file.id],
    queryFn: async () => {
      const bytes = await call('downloadMediaFile', { projectId, mediaFileId: file.id });
      const peaks = await readPeaks(bytes).catch(() => null);
      return { url: URL.createObjectURL(new Blob([bytes.slice()], { type: 'audio/wav' })), peaks };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const url = sound.data?.url;
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  return <Answer of={sound}>{(s) => <Played file={file} sound={s} />}</Answer>;
}

function Played({ file, sound: { url, peaks } }: { file: File; sound: Sound }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [share, setShare] = useState(0);
  const [isBroken, setIsBroken] = useState(false);
  const seek = (event: MouseEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (audio.current) audio.current.currentTime = ((event.clientX - left) / width) * audio.current.duration;
  };
  return (
    <div>
      {peaks && (
        // Keyboards and screen readers use the audio element below.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        <div className="waveform" onClick={seek}>
          <svg
            viewBox={`0 0 ${peaks.length} 100`}
            preserveAspectRatio="none"
            role="img"
            aria-label={waveformLabel(file, peaks)}
          >
            {peaks.map((peak, i) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one recording
                key={i}
                x={i}
                width={0.8}
                y={50 - Math.max(0.5, peak * 48)}
                height={Math.max(1, peak * 96)}
                fill={i / peaks.length < share ? 'var(--carillon-accent)' : 'var(--carillon-none)'}
              />
            ))}
          </svg>
        </div>
      )}
      {/* biome-ignore lint/a11y/useMediaCaption: test sounds have no words that somebody wrote down */}
      <audio
        ref={audio}
        controls
        src={url}
        aria-label={`Play ${file.name}`}
        style={{ width: '100%' }}
        onTimeUpdate={(e) => setShare(e.currentTarget.currentTime / (e.currentTarget.duration || 1))}
        onError={() => setIsBroken(true)}
      />
      {(isBroken || !peaks) && (
        <Text size="sm">This browser cannot {isBroken ? 'play' : 'draw'} it; agents can still play it.</Text>
      )}
    </div>
  );
}

const waveformLabel = ({ name, durationMs }: File, peaks: readonly number[]): string =>
  `Waveform of ${name}, ${duration(durationMs / 1000)}, loudest at ${Math.round(Math.max(...peaks) * 100)} % of full scale`;
