import '@fontsource-variable/figtree/wght.css';
import '@classroom/page/tokens.css';
import '@classroom/page/base.css';
import './parts/console.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { send } from './api/client.js';
import { takeCode, takeToken } from './api/credentials.js';
import { queryClient } from './api/queries.js';
import { i18next, startI18n } from './i18n/index.js';
import { router } from './routing.js';

// A link with another token, opened in this tab.
window.addEventListener('hashchange', () => /\b(token|code)=/.test(location.hash) && location.reload());

/** A code that does not work leaves the tab as it is: without a session, the page asks for a new link. */
const exchange = (code: string) =>
  send<{ token: string }>('POST /v1/dashboard/session', { code }).then(
    ({ token }) => token,
    () => undefined,
  );

void startI18n(navigator.languages).then(async () => {
  // Before the router reads the address.
  const mayReplace = () => window.confirm(i18next.t('signIn.replace'));
  takeToken(window, mayReplace);
  await takeCode(window, exchange, mayReplace);
  createRoot(document.querySelector('#console') ?? document.body).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
});
