import { startDevelopment } from './providers/development';
import { testProvider, testsWith } from './providers/suite';

testProvider(testsWith(startDevelopment));
