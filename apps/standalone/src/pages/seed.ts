import { seedFacts, type SeedFacts } from '@fundrail/contracts';
import { z } from 'zod';
import type { Services } from '../services.ts';
import type { HomePage } from './home.page.ts';

// The route returns more (the providers' keys); the page needs only what identity seeded.
const seed = z.object(seedFacts.shape);

/** Reads from `GET /sandbox/seed` what the start page shows. Throws when the sandbox has not been seeded. */
export async function readSeed(services: Services, baseUrl: string): Promise<HomePage['sandbox']> {
  const answer = await services.running.get('simulator')?.fastify.inject({ url: '/sandbox/seed' });
  if (answer?.statusCode !== 200)
    throw new Error(`GET /sandbox/seed answered ${answer?.statusCode ?? 'nothing'}`);
  const facts = seed.parse(answer.json());
  const newcomer = {
    baseUrl,
    tenant: facts.tenant,
    clientId: facts.client.client_id,
    clientSecret: facts.client.client_secret,
    investmentAccount: facts.mf_investment_account,
    consent: facts.consent,
  };
  return { newcomer, seeded: seeded(facts) };
}

function seeded(facts: SeedFacts): Record<string, string> {
  return {
    Tenant: facts.tenant,
    Client: `${facts.client.client_id} / ${facts.client.client_secret}`,
    Administrator: `${facts.admin.client_id} / ${facts.admin.client_secret}`,
    'Investor profile': facts.investor_profile,
    'Bank account': `${facts.bank_account} (old_id ${facts.bank_account_id})`,
    'Investment account': facts.mf_investment_account,
  };
}
