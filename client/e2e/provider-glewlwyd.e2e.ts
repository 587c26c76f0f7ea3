import { startGlewlwyd } from './providers/glewlwyd';
import { testProvider, testsWith } from './providers/suite';

testProvider(testsWith(startGlewlwyd));
