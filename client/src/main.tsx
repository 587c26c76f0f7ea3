import './main.css';
import { ApolloProvider } from '@apollo/client/react';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from './api/client';
import { refreshOnReturn } from './api/return';
import { applyAppearance } from './lib/appearance';
import { showLanguage, useLanguage, wantedLanguage } from './lib/language';
import { router } from './routes';
import { keepOnDevice } from './shell/on-device';

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
