import { istDate, type AdmitDebit as Asked, type DebitResult, type DebitResults } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Log } from '@fundrail/service-kit';
import { Database, isLostDatabase } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { lockMandates } from '../mandate/mandate.repository.ts';
import { CHECK_AFTER_MS, type Mandate } from '../mandate/mandate.ts';
import { decideAdmission } from './admission.ts';
import { ChangeDebits } from './change-debits.ts';
import { expectedExecution } from './debit-policy.ts';
import { findDebits, holdersOf, insertDebits, type Admission } from './debit.repository.ts';
import { ended } from './debit.ts';

type Results = DebitResults['results'];

/** Admits debits, under the row locks of their mandates and in one transaction with their rows (DEB-4). */
@Injectable()
export class AdmitDebit {
  constructor(
    private readonly database: Database,
    private readonly change: ChangeDebits,
    private readonly config: MandatesConfig,
    private readonly log: Log,
  ) {}

  async execute(asked: Asked): Promise<DebitResult> {
    const [result] = await this.admit([asked]);
    if (!result) throw new Error(`the debit of payment ${asked.payment_id} has no result`);
    return result;
  }

  /**
   * The same for many in one transaction. One result for each, in the order of the requests. One failure does not affect the others: then
   * each is tried alone, and is `unknown` where `execute` throws. Throws when the database is lost.
   */
  async executeAll(asked: readonly Asked[]): Promise<Results> {
    try {
      return await this.admit(asked);
    } catch (error) {
      if (isLostDatabase(error)) throw error;
      this.log.warn('debits were not admitted together', { debits: asked.length, why: String(error) });
    }
    const results: Results = [];
    for (const one of asked) results.push(await this.orUnknown(one));
    return results;
  }

  private async orUnknown(asked: Asked): Promise<Results[number]> {
    try {
      return await this.execute(asked);
    } catch (error) {
      if (isLostDatabase(error)) throw error;
      const { tenant, payment_id } = asked;
      this.log.error('a debit was neither admitted nor refused', error, { tenant, payment_id });
      return { outcome: 'unknown' };
    }
  }

  private async admit(asked: readonly Asked[]): Promise<DebitResult[]> {
    const results = await this.database.transaction(async (tx) => {
      const decided = await this.decide(tx, asked);
      await passFaultPoint('mandates.debit.before_commit');
      return decided;
    });
    await passFaultPoint('mandates.debit.committed');
    return results;
  }

  private async decide(tx: Tx, asked: readonly Asked[]): Promise<DebitResult[]> {
    const mandates = await lockMandates(
      tx,
      asked.map(({ tenant, mandate_id: id }) => ({ tenant, id })),
    );
    const results = new Map<Asked, DebitResult>();
    for (const turn of inTurns(asked)) {
      const [owns, holders] = await Promise.all([findDebits(tx, turn), holdersOf(tx, turn)]);
      const admissions: Admission[] = [];
      for (const one of turn) {
        const found = mandates.get(one.mandate_id);
        const mandate = found?.tenant === one.tenant ? found : null;
        const own = owns.get(one.payment_id) ?? null;
        const held = mandate && holders(one);
        const holder = held === one.payment_id ? null : held;
        const debit_date = mandate ? this.expectedDay(mandate, one, tx.now) : '';
        const result = decideAdmission({ mandate, own, holder, debit_date }, one);
        results.set(one, result);
        if (result.outcome !== 'admitted' || (own && own.state !== 'released')) continue;
        if (holder !== null) await this.replace(tx, { tenant: one.tenant, payment_id: holder });
        admissions.push({ asked: one, debit_date });
      }
      await insertDebits(tx, admissions, new Date(tx.now.getTime() + CHECK_AFTER_MS));
    }
    return asked.flatMap((one) => results.get(one) ?? []);
  }

  /** IST. */
  private expectedDay({ mandate_type }: Mandate, asked: Asked, admitted_at: Date): string {
    const admitted = { admitted_at, first_on: asked.first_on ?? null };
    return istDate(expectedExecution(mandate_type, admitted, this.config.debits(admitted_at)));
  }

  private async replace(tx: Tx, key: Pick<Asked, 'tenant' | 'payment_id'>): Promise<void> {
    await this.change.within(tx, { key, decide: ({ debit }, now) => ended(debit, 'end', {}, now) });
  }
}

/** Groups in which each payment and each order occurs once. A later request about one of them sees what the earlier one has left. */
function inTurns(asked: readonly Asked[]): readonly (readonly Asked[])[] {
  const turns: Asked[][] = [];
  for (const one of asked) {
    const isSame = ({ payment_id, mandate_id, old_id }: Asked) =>
      payment_id === one.payment_id || (mandate_id === one.mandate_id && old_id === one.old_id);
    const last = turns.findLastIndex((turn) => turn.some(isSame));
    (turns[last + 1] ??= []).push(one);
  }
  return turns;
}
