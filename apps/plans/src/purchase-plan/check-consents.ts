import {
  consentMismatches,
  ValidationFailed,
  type ConsentInput,
  type InvestmentAccountFacts,
} from '@fundrail/contracts';
import { refuseEvidence } from '@fundrail/policies';
import { Database } from '@fundrail/service-kit/db';
import { atField, fieldOf, Tenants, type FieldPrefix } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';

/** The consents of one request, each at the place of its plan. */
interface ConsentsGiven {
  readonly consents: readonly (ConsentInput | null | undefined)[];
  readonly prefix: FieldPrefix;
}

/** The consents of a request name contacts of the account, and have the proof that the tenant needs of a purchase (SIP-28). */
@Injectable()
export class CheckConsents {
  constructor(
    private readonly database: Database,
    private readonly tenants: Tenants,
  ) {}

  /** Throws 400 with every contact that is not the account's, then the refusal of the first proof; 503 when the tenant's choice is not known. */
  async execute(
    tenant: string,
    { contacts }: InvestmentAccountFacts,
    { consents, prefix }: ConsentsGiven,
  ): Promise<void> {
    if (consents.every((consent) => !consent)) return;
    const faults = consents.flatMap((consent, index) =>
      (consent ? consentMismatches(consent, contacts) : []).map(({ field, message }) => ({
        field: fieldOf(prefix, index, field),
        message,
      })),
    );
    if (faults.length > 0) throw new ValidationFailed(faults);
    const { two_factor_consent: choice = null } = await this.tenants.policies(tenant);
    const now = await this.database.now();
    for (const [index, consent] of consents.entries())
      atField(prefix, index, () => {
        const refusal = consent ? refuseEvidence(consent, 'purchase', choice, now) : null;
        if (refusal) throw refusal;
      });
  }
}
