import { jest } from '@jest/globals';

// Services, databases and browsers start in these tests; a limit of a minute only ends what would never end.
jest.setTimeout(60_000);
