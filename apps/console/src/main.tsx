import '@fontsource-variable/figtree/wght.css';
import '@classroom/page/tokens.css';
import '@classroom/page/base.css';
import './style/console.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { takeToken } from './api/credentials.js';
import { queryClient } from './api/queries.js';
import { startI18n } from './i18n/index.js';
import { router } from './routing.js';

// Before the router reads the address.
takeToken(window);
// A link with another token, opened in this tab.
window.addEventListener('hashchange', () => location.hash.includes('token=') && location.reload());

void startI18n(navigator.languages).then(() =>
  createRoot(document.querySelector('#console') ?? document.body).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  ),
);
