import './main.css';
import { ApolloProvider } from '@apollo/client/react';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from '../shared/api/client';
import { refetchOnFocus } from '../shared/api/refetch-on-focus';
import { showLanguage, useLanguage, wantedLanguage } from '../shared/i18n/language';
import { applyAppearance } from '../shared/lib/appearance';
import { registerServiceWorker } from './register-service-worker';
import { router } from './routes';

applyAppearance();
refetchOnFocus();
registerServiceWorker();

const Screens = () => <RouterProvider key={useLanguage()} router={router} />;

function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no element with the id `root`.');
  createRoot(root).render(
    <StrictMode>
      <ApolloProvider client={client}>
        <Screens />
      </ApolloProvider>
    </StrictMode>,
  );
}

const language = wantedLanguage();
if (language === 'en') start();
// Without texts, the application starts in English.
else showLanguage(language).then(start, start);
