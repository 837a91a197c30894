import { jest } from '@jest/globals';

// Services, databases and browsers start in these tests, many of them on machines that have other things to do; the limit
// only ends what would never end.
jest.setTimeout(180_000);
