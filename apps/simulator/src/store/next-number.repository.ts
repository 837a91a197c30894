import { nextOf, type Tx } from '@fundrail/persistence';

const nextOrder = nextOf('gateway_order_numbers');
const nextPayment = nextOf('provider_payment_numbers');

/** The gateway's own number for an accepted order. */
export async function nextOrderReference(tx: Tx): Promise<string> {
  return `GPOA${await nextOrder(tx)}`;
}

/** The provider's own number for money that came in: a UPI reference number (RRN) has twelve digits. */
export async function nextProviderReference(tx: Tx): Promise<string> {
  return String(await nextPayment(tx)).padStart(12, '0');
}
