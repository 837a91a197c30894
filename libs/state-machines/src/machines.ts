import { authorisationMachine } from './authorisation.machine.ts';
import { checkoutMachine } from './checkout.machine.ts';
import { debitAttemptMachine } from './debit-attempt.machine.ts';
import { erasureMachine } from './erasure.machine.ts';
import { mandateDebitMachine } from './mandate-debit.machine.ts';
import { mandateMachine } from './mandate.machine.ts';
import { mfPurchasePlanMachine } from './mf-purchase-plan.machine.ts';
import { mfPurchaseMachine } from './mf-purchase.machine.ts';
import { mfRedemptionPlanMachine } from './mf-redemption-plan.machine.ts';
import { mfRedemptionMachine } from './mf-redemption.machine.ts';
import { paymentMachine } from './payment.machine.ts';
import { upiRequestMachine } from './upi-request.machine.ts';
import type { Machine } from './state-machine.ts';

/** Every machine of the product, in the order of docs/states.md. */
export const MACHINES: readonly Machine<string, string>[] = [
  mfPurchaseMachine,
  mfRedemptionMachine,
  paymentMachine,
  upiRequestMachine,
  checkoutMachine,
  authorisationMachine,
  mandateMachine,
  mandateDebitMachine,
  debitAttemptMachine,
  mfRedemptionPlanMachine,
  mfPurchasePlanMachine,
  erasureMachine,
];
