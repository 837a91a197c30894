import type { MandateState } from '@fundrail/providers';
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
import { passFaultPoint } from '../fault-points.ts';
import { MANDATE } from '../mandate/mandate.aggregate.ts';
import { confirmMandate, findMandate } from '../mandate/mandate.repository.ts';
import { MANDATE_DUE, type Mandate } from '../mandate/mandate.ts';
import { HAS_NO_MANDATES, MandateProviders } from '../outside/mandate-providers.ts';
import { applyProviderFacts } from './mandate-facts.ts';

/** For this long, a provider that knows no such mandate may be wrong. After that the mandate does not exist there. */
const NOT_FOUND_MS = 86_400_000;

/** A mandate that its provider knows by a token. */
type Registered = Mandate & { readonly mandate_token: string };

/** `mandate.status`: asks the provider for a mandate's state, outside any transaction, and takes the steps that are missing here. */
@Injectable()
export class AskMandateStatus {
  constructor(
    private readonly database: Database,
    private readonly providers: MandateProviders,
    private readonly log: Log,
  ) {}

  @HandlesDue(MANDATE_DUE.status)
  handle(work: DueWork): Promise<DueResult> {
    const call: OutsideCall<Registered, MandateState> = {
      load: async ({ tenant, key }) => {
        const row = await findMandate(this.database, tenant, { oldId: Number(key) });
        return row && isRegistered(row) ? row : null;
      },
      send: { name: 'mandates.status', call: (row) => this.ask(row) },
      apply: (row, state) => this.conclude(row, state),
      silence: {
        log: this.log,
        what: 'the state of a mandate',
        about: ({ tenant, id: mandate_id, provider_name }) => ({ tenant, mandate_id, provider_name }),
      },
    };
    return pursue(call, work);
  }

  private async ask(row: Registered): Promise<OutsideAnswer<MandateState>> {
    const { mandate_type, mandate_token, provider_id, umrn } = row;
    const provider = this.providers.of(row.provider_name);
    if (!provider) return HAS_NO_MANDATES;
    const answer = await provider.mandateStatus({ mandate_type, mandate_token, provider_id, umrn });
    if (answer.kind === 'yes') return answer;
    const isGone = answer.kind === 'not_found' && isLongInDoubt(row, await this.database.now());
    return isGone ? { kind: 'yes', value: { status: 'cancelled' } } : answer;
  }

  /** An answer to a question from before the provider's last notification may be outdated. Then the provider is asked again. */
  private conclude(asked: Mandate, state: MandateState): Promise<DueResult> {
    return this.database.transaction<DueResult>(async (tx) => {
      const row = await MANDATE.lock(tx, asked.tenant, asked.id);
      if (!row) return 'done';
      if (row.facts_seq !== asked.facts_seq) return { again: tx.now };
      const missing = applyProviderFacts(row, state, tx.now);
      // A contradiction confirms nothing. Such a mandate is not approved; once it is, the provider is asked again.
      if (typeof missing === 'string') this.logContradiction(row, missing);
      else {
        await confirmMandate(tx, row);
        if (missing.length > 0) await MANDATE.record(tx, row, ...missing);
      }
      await passFaultPoint('mandates.facts.before_commit');
      return 'done';
    });
  }

  private logContradiction({ tenant, id: mandate_id, mandate_status }: Mandate, contradiction: string): void {
    const about = { contradiction, tenant, mandate_id, mandate_status };
    this.log.warn('the provider contradicts a mandate', about);
  }
}

function isLongInDoubt({ doubted_at }: Mandate, now: Date): boolean {
  return doubted_at !== null && now.getTime() - doubted_at.getTime() >= NOT_FOUND_MS;
}

function isRegistered(row: Mandate): row is Registered {
  return row.mandate_token !== null;
}
