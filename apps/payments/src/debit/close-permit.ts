import { closePermit } from '@fundrail/contracts';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { Mandates } from '../outside/mandates-client.ts';

/** `debit.close_permit`: the outcome of the call is recorded, so its permit is closed. Retried until mandates confirms it. */
@Injectable()
@HandlesDue('debit.close_permit')
export class ClosePermit {
  constructor(private readonly mandates: Mandates) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const [id, step, attempt] = key.split(' ');
    await this.mandates.closePermit(
      closePermit.parse({ tenant, payment_id: Number(id), step, attempt: Number(attempt) }),
    );
    return 'done';
  }
}
