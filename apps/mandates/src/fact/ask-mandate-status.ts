import type { Answer, MandateState } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { MANDATE_DUE } from '../mandate/mandate-due.ts';
import { confirmMandate, findMandate, lockMandate } from '../mandate/mandate.repository.ts';
import type { Mandate } from '../mandate/mandate.ts';
import { recordStep } from '../mandate/record-steps.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { applyProviderState } from './mandate-facts.ts';

/** For this long, a provider that knows no such mandate may be wrong. After that the mandate does not exist there. */
const NOT_FOUND_MS = 86_400_000;

/** `mandate.status`: asks the provider for a mandate's state, outside any transaction, and takes the step that is missing here. */
@Injectable()
export class AskMandateStatus {
  constructor(
    private readonly database: Database,
    private readonly providers: MandateProviders,
    private readonly log: Log,
  ) {}

  @HandlesDue(MANDATE_DUE.status)
  async handle(work: DueWork): Promise<DueResult> {
    const row = await findMandate(this.database, work.tenant, { oldId: Number(work.key) });
    if (typeof row?.mandate_token !== 'string') return 'done';
    const answer = await this.ask(row, row.mandate_token);
    if (answer?.kind === 'not_found' && isLongInDoubt(row, await this.database.now()))
      return this.conclude(row, 'cancelled');
    if (answer?.kind !== 'yes') return this.unanswered(row, answer);
    return this.conclude(row, answer.value.status);
  }

  private async ask(row: Mandate, mandate_token: string): Promise<Answer<MandateState> | null> {
    const { mandate_type, provider_id, umrn } = row;
    await passFaultPoint('mandates.status.before_call');
    const provider = this.providers.of(row.provider_name);
    const answer = await provider?.mandateStatus({ mandate_type, mandate_token, provider_id, umrn });
    await passFaultPoint('mandates.status.called');
    return answer ?? null;
  }

  /** An answer to a question from before the provider's last notification may be outdated. Then the provider is asked again. */
  private conclude(asked: Mandate, state: MandateState['status']): Promise<DueResult> {
    return this.database.transaction<DueResult>(async (tx) => {
      const row = await lockMandate(tx, asked.tenant, asked.id);
      if (!row) return 'done';
      if (row.facts_seq !== asked.facts_seq) return { again: tx.now };
      const finding = applyProviderState(row, state, tx.now);
      // A contradiction confirms nothing. Such a mandate is not approved; once it is, the provider is asked again.
      if (typeof finding === 'string') this.logContradiction(row, finding);
      else {
        await confirmMandate(tx, row);
        if (finding) await recordStep(tx, row, finding);
      }
      await passFaultPoint('mandates.facts.before_commit');
      return 'done';
    });
  }

  private logContradiction({ tenant, id: mandate_id, mandate_status }: Mandate, contradiction: string): void {
    const about = { contradiction, tenant, mandate_id, mandate_status };
    this.log.warn('the provider contradicts a mandate', about);
  }

  /** No answer is not a state: the mandate keeps its state, and the provider is asked again later. */
  private unanswered(row: Mandate, answer: Answer<MandateState> | null): DueResult {
    const { tenant, id: mandate_id, provider_name } = row;
    const why = answer?.kind ?? 'has no mandates';
    this.log.warn('the provider does not report the state of a mandate', {
      tenant,
      mandate_id,
      provider_name,
      why,
    });
    return 'later';
  }
}

function isLongInDoubt({ doubted_at }: Mandate, now: Date): boolean {
  return doubted_at !== null && now.getTime() - doubted_at.getTime() >= NOT_FOUND_MS;
}
