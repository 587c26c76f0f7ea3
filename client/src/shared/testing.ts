// Testing Library for specifications, which import it from here: it unmounts what a test rendered, and waits on a busy machine.

import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// As `expect.poll` in vite.config.ts.
configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

export * from '@testing-library/react';
