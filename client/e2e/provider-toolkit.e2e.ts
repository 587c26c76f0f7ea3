/** Sign-in with PyPI’s django-oauth-toolkit, whose tokens are opaque. */
import { startToolkit } from './providers/toolkit';
import { testProvider, testsWith } from './providers/suite';

testProvider(testsWith(startToolkit));
