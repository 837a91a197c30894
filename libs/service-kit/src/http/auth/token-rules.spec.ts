import { FakeClock } from '@fundrail/testing';
import { TokenIssuer } from '../../testing/token-issuer.ts';
import { AccessTokens } from './access-tokens.ts';
import { JwksSource } from './jwks-source.ts';
import { keysOfIdentity } from './read-key-set.ts';
import { tokenRulesOf } from './token-rules.ts';

type Variables = Parameters<typeof tokenRulesOf>[0];

const NONE: Variables = {
  ...{ ACCESS_TOKEN_AUDIENCE: undefined, ACCESS_TOKEN_ISSUER: undefined, ACCESS_TOKEN_JWKS_URL: undefined },
  ...{
    ACCESS_TOKEN_MAX_AGE_SECONDS: 3_600,
    ACCESS_TOKEN_TENANT_CLAIM: 'tenant',
    ACCESS_TOKEN_TYPE: 'at+jwt',
  },
  PUBLIC_BASE_URL: 'https://issuer.test/',
};
const OWN = { ...NONE, ACCESS_TOKEN_JWKS_URL: 'https://id.example/keys' };

describe('the rules for access tokens', () => {
  it('of identity: its address with and without a slash, its audience, its type, thirty minutes', () => {
    expect(tokenRulesOf(NONE)).toEqual({
      ...{ issuers: ['https://issuer.test', 'https://issuer.test/'], audience: 'fundrail' },
      ...{ tenantClaim: 'tenant', type: 'at+jwt', mostSeconds: 1_800 },
    });
  });

  it('of identity do not follow the type and the age that the variables give to another provider', () => {
    const rules = tokenRulesOf({ ...NONE, ACCESS_TOKEN_TYPE: 'any', ACCESS_TOKEN_MAX_AGE_SECONDS: 86_400 });
    expect(rules).toMatchObject({ type: 'at+jwt', mostSeconds: 1_800 });
  });

  it('of identity name the given issuer before the public address', () => {
    const { issuers } = tokenRulesOf({ ...NONE, ACCESS_TOKEN_ISSUER: 'https://id.internal' });
    expect(issuers).toEqual(['https://id.internal', 'https://id.internal/']);
  });

  it('of another provider are those of the variables, its issuer letter by letter', () => {
    const rules = tokenRulesOf({
      ...OWN,
      ...{ ACCESS_TOKEN_ISSUER: 'https://id.example/', ACCESS_TOKEN_AUDIENCE: 'funds' },
      ...{ ACCESS_TOKEN_TYPE: 'any', ACCESS_TOKEN_MAX_AGE_SECONDS: 900, ACCESS_TOKEN_TENANT_CLAIM: 'org' },
    });
    expect(rules).toEqual({
      ...{ issuers: ['https://id.example/'], audience: 'funds' },
      ...{ tenantClaim: 'org', type: 'any', mostSeconds: 900 },
    });
  });

  it.each([
    ['accepted by services of this address', 'https://issuer.test', true],
    ['refused by services of another address', 'https://elsewhere.test', false],
  ])('given a token of identity at issuer.test, then it is %s', async (_, address, isAccepted) => {
    const issuer = await TokenIssuer.create();
    const clock = new FakeClock();
    const rules = tokenRulesOf({ ...NONE, PUBLIC_BASE_URL: address });
    const tokens = new AccessTokens(new JwksSource(keysOfIdentity(issuer), clock), clock, rules);
    const header = await issuer.header({ expiresAt: Math.floor(clock.now().getTime() / 1000) + 1_800 });
    const accepted = await tokens.verify(header).then(
      () => true,
      () => false,
    );
    expect(accepted).toBe(isAccepted);
  });
});
