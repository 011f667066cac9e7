/**
 * A run in progress. The server sends updates every second, which replace the results of the page's requests. Without updates,
 * the page polls.
 */
import { useEffect, useRef, useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import type { Timeline } from '../../../../contract/run/timeline.ts';
import { queries } from '../../../api.ts';
import { joined } from '../timeline/timeline.ts';

export type Liveness = 'LIVE' | 'ASKING' | 'OVER';

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 10_000;

export function useLiveRun(projectId: string, runId: string, isOpen: boolean): Liveness {
  const [liveness, setLiveness] = useState<Liveness>('ASKING');
  useEffect(() => {
    if (!isOpen) return;
    const end = listen(projectId, runId, setLiveness);
    return () => {
      end();
      setLiveness('ASKING');
    };
  }, [projectId, runId, isOpen]);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The stream lacks these data, so their final state is requested.
    if (wasOpen.current && !isOpen) void queries.invalidateQueries();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return isOpen ? liveness : 'OVER';
}

function listen(projectId: string, runId: string, tell: (liveness: Liveness) => void): () => void {
  const key = { projectId, testRunId: runId };
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let heard = '';
  const close = () => {
    source?.close();
    source = undefined;
    clearTimeout(timer);
  };
  const again = () => {
    close();
    tell('ASKING');
    timer = setTimeout(open, pauseMs);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  };
  const open = () => {
    close();
    // A browser has few connections per host, so hidden pages release theirs.
    if (document.visibilityState === 'hidden') return;
    const after = heard === '' ? '' : `?after=${encodeURIComponent(heard)}`;
    const opened = new EventSource(`/api/v1/projects/${projectId}/test-runs/${runId}/live${after}`);
    source = opened;
    opened.addEventListener('run', (event) => {
      queries.setQueryData(['getTestRun', key], JSON.parse(event.data) as Output<'getTestRun'>);
      pauseMs = FIRST_PAUSE_MS;
      tell('LIVE');
    });
    opened.addEventListener('timeline', (event) => {
      const name = ['getTestRunTimeline', key];
      const whole = joined(queries.getQueryData<Timeline>(name), JSON.parse(event.data) as Timeline);
      heard = whole ? event.lastEventId : '';
      if (whole) queries.setQueryData(name, whole);
      else void queries.invalidateQueries({ queryKey: name });
    });
    opened.addEventListener('end', (event) => {
      const { reason } = JSON.parse(event.data) as { reason: string };
      if (reason === 'OVER') close();
      else again();
    });
    opened.onerror = again;
  };
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') {
      close();
      tell('ASKING');
    } else if (!source) open();
  };
  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
