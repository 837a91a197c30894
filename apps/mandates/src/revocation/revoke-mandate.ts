import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { MANDATE_DUE } from '../mandate/mandate-due.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
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
  async handle(work: DueWork): Promise<DueResult> {
    const revocation = await findRevocation(this.database, work.tenant, Number(work.key));
    if (!revocation || revocation.revoked_at) return 'done';
    const answer = await this.call(revocation);
    if (answer?.kind !== 'yes') return this.unanswered(revocation, answer);
    await markRevoked(this.database, revocation, await this.database.now());
    return 'done';
  }

  private async call(revocation: Revocation): Promise<Answer<null> | null> {
    const { mandate_type, mandate_token, provider_id, umrn } = revocation;
    await passFaultPoint('mandates.revoke.before_call');
    const provider = this.providers.of(revocation.provider_name);
    const answer = await provider?.revoke(
      { mandate_type, mandate_token, provider_id, umrn },
      revocationReference(revocation.id),
    );
    await passFaultPoint('mandates.revoke.called');
    return answer ?? null;
  }

  private unanswered({ id, tenant, mandate_id, reason }: Revocation, answer: Answer<null> | null): DueResult {
    const why = answer?.kind ?? 'has no mandates';
    this.log.warn('a mandate is not revoked at the provider yet', { id, tenant, mandate_id, reason, why });
    return 'later';
  }
}
