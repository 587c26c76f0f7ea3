// Testing Library for unit tests: unmounts the components of each test, and waits long enough on a busy machine.

import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// As `expect.poll` in vite.config.ts.
configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

export * from '@testing-library/react';
