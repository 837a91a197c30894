import { ApiError, newId, ValidationFailed } from '@fundrail/contracts';
import type { CreatedMandateDto, CreateMandateRequest } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { BankAccounts } from '../outside/bank-accounts.ts';
import { DefaultProvider } from '../outside/default-provider.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { MANDATE } from './mandate.aggregate.ts';
import { drawMandateId } from './mandate.repository.ts';
import { createMandate } from './mandate.ts';

const CREATED = 201;

/** Creates a mandate on a bank account of the tenant's investors (MAN-1). Nothing is sent to the provider yet. */
@Injectable()
export class CreateMandate {
  constructor(
    private readonly database: Database,
    private readonly accounts: BankAccounts,
    private readonly providers: MandateProviders,
    private readonly defaultProvider: DefaultProvider,
  ) {}

  /** Throws 400 with the field, 422 above the type's limit or for a type that the provider does not take (MAN-24), 503 when identity does not answer. */
  async execute(caller: Caller, request: CreateMandateRequest): Promise<CreatedMandateDto> {
    const { mandate_type } = request;
    const provider_name =
      request.provider_name ?? (await this.defaultProvider.of(caller.tenant, mandate_type));
    if (!this.providers.of(provider_name)?.types.includes(mandate_type))
      throw new ApiError('PROVIDER_REFUSED', `${provider_name} takes no mandates of type ${mandate_type}`);
    const investor_profile = await this.accounts.findOwner(caller.tenant, request.bank_account_id);
    if (investor_profile === null)
      throw new ValidationFailed([
        { field: 'bank_account_id', message: 'is not a bank account of this tenant' },
      ]);
    const answer = await this.database.transaction(async (tx) => {
      const origin = {
        id: await drawMandateId(tx),
        mandate_ref: newId('mandate'),
        tenant: caller.tenant,
        investor_profile,
        now: tx.now,
      };
      const step = createMandate({ ...request, provider_name }, origin);
      if (!(await MANDATE.create(tx, step)))
        throw new ValidationFailed([{ field: 'source_ref_id', message: 'should be unique' }]);
      const { id, mandate_ref } = step.row;
      const result = await caller.answer(tx, { id, mandate_ref }, CREATED);
      await passFaultPoint('mandates.create.before_commit');
      return result;
    });
    await passFaultPoint('mandates.create.committed');
    return answer;
  }
}
