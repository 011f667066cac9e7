/** The start of the application, which joins its parts. */
// This import must precede the router.
import './arrival.ts';
import '@mantine/core/styles.css';
import './style.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { forgetAnswers, queries, whenSessionIsOver } from './api.ts';
import { router } from './routes.tsx';
import { tendDialogs } from './show/basics/dialogs.ts';
import { theme, variables } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
// react-remove-scroll, inside Mantine's dialogs, reads the nonce from here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

whenSessionIsOver(() => {
  forgetAnswers();
  const { pathname, search } = window.location;
  if (!/^\/(log-in|set-up|invitation|sign-in)$/.test(pathname))
    void router.navigate({ to: '/log-in', search: { next: pathname + search } });
});

tendDialogs();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
