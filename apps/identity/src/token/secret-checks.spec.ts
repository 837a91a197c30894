import { PLACES, SecretChecks } from './secret-checks.ts';

/** Each check costs tens of milliseconds of processor by design, and there are more than a hundred. */
const LIMIT_MS = 60_000;

describe('the places for secret checks', () => {
  it(
    'given a crowd that fills its places, then it is refused, and others are checked',
    async () => {
      const checks = new SecretChecks();
      const crowd = Array.from({ length: PLACES.crowd }, () => checks.fits('wrong', null, 'crowd'));
      expect(await checks.fits('wrong', null, 'crowd')).toBeNull();
      expect(await checks.fits('wrong', null, 'own')).toBe(false);
      await Promise.all(crowd);
      expect(await checks.fits('wrong', null, 'crowd')).toBe(false);
    },
    LIMIT_MS,
  );

  it(
    'given more checks than places, then the next is refused',
    async () => {
      const checks = new SecretChecks();
      const own = Array.from({ length: PLACES.own }, () => checks.fits('wrong', null, 'own'));
      expect(await checks.fits('wrong', null, 'own')).toBeNull();
      await Promise.all(own);
    },
    LIMIT_MS,
  );
});
