import { PLACES, SecretChecks } from './secret-checks.ts';

describe('the places of secrets that wait to be checked', () => {
  it('given a crowd that fills its own, then it is turned away, and others are checked', async () => {
    const checks = new SecretChecks();
    const crowd = Array.from({ length: PLACES.crowd }, () => checks.fits('wrong', null, 'crowd'));
    expect(await checks.fits('wrong', null, 'crowd')).toBeNull();
    expect(await checks.fits('wrong', null, 'own')).toBe(false);
    await Promise.all(crowd);
    expect(await checks.fits('wrong', null, 'crowd')).toBe(false);
  });

  it('given more than there are places for, then the next is turned away', async () => {
    const checks = new SecretChecks();
    const own = Array.from({ length: PLACES.own }, () => checks.fits('wrong', null, 'own'));
    expect(await checks.fits('wrong', null, 'own')).toBeNull();
    await Promise.all(own);
  });
});
