import {
  newPayment,
  orderGatewayConformance,
  paymentProviderConformance,
  transferConformance,
} from '@fundrail/providers/testing';
import type { ConformanceStage } from '@fundrail/providers/testing';
import { ADAPTER_TIMEOUT_MS, SimulatorStage } from '../testing/simulator-stage.ts';

const CALLS = {
  lost: 'drop',
  late: 'delay',
  slow: 'delay',
  status_500: 'status_500',
  nonsense: 'nonsense',
} as const;
const CALLBACKS = { lost: 'drop', duplicate: 'duplicate', reorder: 'reorder', nonsense: 'nonsense' } as const;

async function start(): Promise<ConformanceStage> {
  const stage = await SimulatorStage.start();
  const must = async (path: string, body: object) => {
    const answer = await stage.post(path, body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  };
  const fault = (parts: object) => must('/sandbox/faults', { target: 'gatewaypoa', times: 1, ...parts });
  return {
    orders: stage.orders,
    payments: stage.payments,
    transfers: stage.payments,
    payers: {
      pays: 'success@upi',
      declines: 'failure@upi',
      waits: 'timeout@upi',
      unknown: 'unknown@upi',
    },
    voids: true,
    refusedPayment: async () => {
      const taken = newPayment();
      await stage.payments.issueUpiUri(taken);
      return newPayment({ reference: taken.reference });
    },
    disturb: (operation, how) => {
      const delay = { late: 2 * ADAPTER_TIMEOUT_MS, slow: ADAPTER_TIMEOUT_MS / 4 };
      return fault({
        operation,
        kind: CALLS[how],
        delay_ms: how === 'late' || how === 'slow' ? delay[how] : null,
      });
    },
    disturbCallback: async (topic, how) => {
      await stage.callbacksSent();
      await fault({ operation: `callback_${topic}`, kind: CALLBACKS[how] });
    },
    pay: (id) => must(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }),
    payAgain: (id) => must(`/api/pg/simulate/payments/${id}`, { status: 'PAID_AGAIN' }),
    payAsThirdParty: (id) =>
      must(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS', payer: 'third_party' }),
    decline: (id, failure_code) =>
      must(`/api/pg/simulate/payments/${id}`, { status: 'FAILED', failure_code }),
    liquidScheme: 'INF000F01LQ3',
    payOut: async (reference) => {
      const { dataSource } = stage.service.database;
      const pay = 'UPDATE gateway_orders SET paid_out_at = now() WHERE reference = $1 RETURNING old_id';
      const [[{ old_id } = {}]] = await dataSource.query<[{ old_id?: string }[], number]>(pay, [reference]);
      return `N${String(old_id).padStart(12, '0')}`;
    },
    callbacks: (reference) => Promise.resolve(stage.callbacks.about(reference)),
    end: () => stage.end(),
  };
}

orderGatewayConformance('gatewaypoa over HTTP against the simulator', start);
paymentProviderConformance('gatewaypoa over HTTP against the simulator', start);
transferConformance('gatewaypoa over HTTP against the simulator', start);
