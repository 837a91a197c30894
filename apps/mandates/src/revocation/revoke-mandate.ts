import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import {
  HandlesDue,
  pursue,
  type DueResult,
  type DueWork,
  type OutsideAnswer,
  type OutsideCall,
} from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { MANDATE_DUE } from '../mandate/mandate.ts';
import { HAS_NO_MANDATES, MandateProviders } from '../outside/mandate-providers.ts';
import { findRevocation, markRevoked, type Revocation } from './revocation.repository.ts';

const REFERENCE_DIGITS = 12;

/** The idempotency key of a revocation at the provider. */
function revocationReference(id: number): string {
  return `V${String(id).padStart(REFERENCE_DIGITS, '0')}`;
}

/**
 * `mandate.revoke`: ends a cancelled or surplus mandate at its provider. It repeats the same call under the same reference until
 * the provider answers yes.
 */
@Injectable()
export class RevokeMandate {
  constructor(
    private readonly database: Database,
    private readonly providers: MandateProviders,
    private readonly log: Log,
  ) {}

  @HandlesDue(MANDATE_DUE.revoke)
  handle(work: DueWork): Promise<DueResult> {
    const call: OutsideCall<Revocation, null> = {
      load: async ({ tenant, key }) => {
        const revocation = await findRevocation(this.database, tenant, Number(key));
        return revocation?.revoked_at === null ? revocation : null;
      },
      send: { name: 'mandates.revoke', call: (revocation) => this.revoke(revocation) },
      apply: async (revocation) => {
        await markRevoked(this.database, revocation, await this.database.now());
        return 'done';
      },
      silence: {
        log: this.log,
        what: 'the revocation of a mandate',
        about: ({ id, tenant, mandate_id, reason }) => ({ id, tenant, mandate_id, reason }),
      },
    };
    return pursue(call, work);
  }

  private async revoke({ id, provider_name, ...names }: Revocation): Promise<OutsideAnswer<null>> {
    const { mandate_type, mandate_token, provider_id, umrn } = names;
    const mandate = { mandate_type, mandate_token, provider_id, umrn };
    return this.providers.of(provider_name)?.revoke(mandate, revocationReference(id)) ?? HAS_NO_MANDATES;
  }
}
