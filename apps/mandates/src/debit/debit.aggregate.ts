import { RecordedAggregate } from '@fundrail/service-kit/aggregate';
import { saveDebits } from './debit.repository.ts';
import { toMandateDebit, type DebitStep } from './debit.ts';
import type { Debit } from './debit.table.ts';

/** A debit, whose admission is no step, and which has no history. Each of its events is a fact of its own. */
export const DEBIT = new RecordedAggregate<Debit, DebitStep>({
  save: saveDebits,
  // Beside the mandates' own streams, whose ids are numbers too.
  idOf: ({ payment_id }) => `debit_${payment_id}`,
  history: null,
  toDto: (debit, { collected = null }) => toMandateDebit(debit, collected),
  isFact: () => true,
});
