import { Decimal } from '@fundrail/contracts';
import { newPayment, paymentProviderConformance, transferConformance } from '@fundrail/providers/testing';
import type { ConformanceStage, Disturbed, StageCallback } from '@fundrail/providers/testing';
import { ADAPTER_TIMEOUT_MS, SimulatorStage } from '../testing/simulator-stage.ts';

const CALLS = {
  lost: 'drop',
  late: 'delay',
  slow: 'delay',
  status_500: 'status_500',
  nonsense: 'nonsense',
} as const;
const CALLBACKS = { lost: 'drop', duplicate: 'duplicate', reorder: 'reorder', nonsense: 'nonsense' } as const;
const OPERATIONS: Partial<Record<Disturbed, string>> = {
  payment: 'payment',
  collect: 'payment',
  payment_status: 'order_payments',
  refund: 'refund',
  refund_status: 'refund_list',
};

async function start(): Promise<ConformanceStage> {
  const stage = await SimulatorStage.start();
  const must = async (path: string, body: object) => {
    const answer = await stage.post(path, body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  };
  const fault = (parts: object) => must('/sandbox/faults', { times: 1, ...parts });
  /** A webhook names an order, and only the adapter can find its payment. Transfers are reported by gatewaypoa. */
  const isAbout = async (reference: string, { headers, raw }: StageCallback) =>
    (await stage.razorpay.readCallback(headers, raw)).reference === reference;
  return {
    orders: stage.orders,
    payments: stage.razorpay,
    transfers: stage.payments,
    payers: {
      pays: 'success@upi',
      declines: 'failure@upi',
      waits: 'timeout@upi',
      unknown: 'unknown@upi',
    },
    voids: false,
    refusedPayment: () => Promise.resolve(newPayment({ amount: Decimal.parse('0.99') })),
    disturb: (call, how) => {
      const delay = { late: 2 * ADAPTER_TIMEOUT_MS, slow: ADAPTER_TIMEOUT_MS / 4 };
      const operation = OPERATIONS[call];
      const at = operation ? { target: 'sdkvendor', operation } : { target: 'gatewaypoa', operation: call };
      return fault({
        ...at,
        kind: CALLS[how],
        delay_ms: how === 'late' || how === 'slow' ? delay[how] : null,
      });
    },
    disturbCallback: async (_, how) => {
      await stage.callbacksSent();
      await fault({ target: 'sdkvendor', operation: 'callback_payments', kind: CALLBACKS[how] });
    },
    pay: (id) => must(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }),
    payAgain: (id) => must(`/api/pg/simulate/payments/${id}`, { status: 'PAID_AGAIN' }),
    payAsThirdParty: (id) =>
      must(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS', payer: 'third_party' }),
    decline: (id, failure_code) =>
      must(`/api/pg/simulate/payments/${id}`, { status: 'FAILED', failure_code }),
    callbacks: async (reference) => {
      const webhooks = stage.callbacks.received.filter(({ topic }) => topic === 'sdkvendor');
      const about = await Promise.all(webhooks.map((webhook) => isAbout(reference, webhook)));
      return [...webhooks.filter((_, index) => about[index]), ...stage.callbacks.about(reference)];
    },
    end: () => stage.end(),
  };
}

paymentProviderConformance('sdkvendor over HTTP against the simulator', start);
transferConformance('sdkvendor over HTTP against the simulator', start);
