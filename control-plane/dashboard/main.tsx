/** The start of the application, which joins its parts. */
import '@mantine/core/styles.css';
import './style.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { forgetAnswers, queries, whenSessionIsOver } from './api.ts';
import { navigate } from './router.tsx';
import { Routes, startRoutes } from './routes.tsx';
import { tendDialogs } from './show/basics/dialogs.ts';
import { theme, variables } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
// react-remove-scroll, inside Mantine's dialogs, reads the nonce from here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

whenSessionIsOver(() => {
  forgetAnswers();
  const { pathname, search } = window.location;
  if (!/^\/(log-in|set-up|invitation|sign-in)$/.test(pathname))
    void navigate({ to: '/log-in', search: { next: pathname + search } });
});

tendDialogs();
startRoutes();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Routes />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
