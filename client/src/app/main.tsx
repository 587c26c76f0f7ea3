import './main.css';
import { ApolloProvider } from '@apollo/client/react';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from '../shared/api/client';
import { refreshOnReturn } from '../shared/api/return';
import { showLanguage, useLanguage, wantedLanguage } from '../shared/i18n/language';
import { applyAppearance } from '../shared/lib/appearance';
import { keepOnDevice } from './on-device';
import { router } from './routes';

applyAppearance();
refreshOnReturn();
keepOnDevice();

/** Drawn anew in another language, every text of it. */
const Screens = () => <RouterProvider key={useLanguage()} router={router} />;

function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no element #root');
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
// Whatever keeps the texts from loading, English is there.
else showLanguage(language).then(start, start);
