import type { ProviderName } from '@fundrail/contracts';
import { theirOwnOrOnly } from './default-provider.ts';

describe('the provider of a mandate whose request names none (MAN-25)', () => {
  it('is the only one that takes the type, without a question about the tenant', async () => {
    const ofTenant = () => Promise.reject(new Error('asked'));
    await expect(theirOwnOrOnly(['SDKVENDOR'], ofTenant)).resolves.toBe('SDKVENDOR');
  });

  it.each<ProviderName>(['GATEWAYPOA', 'SDKVENDOR'])(
    'is %s among several when it is the tenant’s',
    async (own) => {
      const asked = theirOwnOrOnly(['GATEWAYPOA', 'SDKVENDOR'], () => Promise.resolve(own));
      await expect(asked).resolves.toBe(own);
    },
  );

  it.each<readonly ProviderName[][]>([[[]], [['SDKVENDOR', 'SDKVENDOR']]])(
    'is required when %j take the type and the tenant’s own does not',
    async (taking) => {
      const asked = theirOwnOrOnly(taking, () => Promise.resolve('GATEWAYPOA'));
      const message = expect.stringMatching(/^is required/);
      await expect(asked).rejects.toMatchObject({ errors: [{ field: 'provider_name', message }] });
    },
  );
});
