import { jest } from '@jest/globals';

// Most of these tests start services, databases and browsers, sometimes on busy machines. The limit only stops a test that would
// never end.
jest.setTimeout(300_000);
