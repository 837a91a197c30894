import { mandateConformance } from '@fundrail/providers/testing';
import type { MandateCall, MandateStage, StageCallback } from '@fundrail/providers/testing';
import { simulatedHands } from '../testing/mandate-stage.ts';
import { SimulatorStage } from '../testing/simulator-stage.ts';

const OPERATIONS: Record<MandateCall, string> = {
  authorisation: 'payment',
  authorisation_collect: 'payment',
  authorisation_status: 'order_payments',
  mandate_status: 'token_status',
  revoke: 'token_cancel',
  notify: 'order',
  execute: 'recurring',
  debit_status: 'order_payments',
  debit_result: 'debit_result',
};

async function start(): Promise<MandateStage> {
  const stage = await SimulatorStage.start();
  const read = ({ headers, raw }: StageCallback) => stage.razorpay.readCallback(headers, raw);
  return {
    ...simulatedHands(stage, 'sdkvendor', (call) => OPERATIONS[call]),
    mandates: stage.razorpay.mandates,
    voids: false,
    drawsTr: true,
    reportsTerms: false,
    read,
    callbacks: async (reference) => {
      const all = await Promise.all(stage.callbacks.received.map(read));
      return stage.callbacks.received.filter((_, index) => all[index]?.reference === reference);
    },
    reportedStates: async (token) => {
      const all = await Promise.all(stage.callbacks.received.map(read));
      return all.flatMap(({ event_id, reference, fact }) =>
        reference === token ? [{ event_id, state: fact?.about === 'mandate' ? fact.state : null }] : [],
      );
    },
  };
}

mandateConformance('sdkvendor over HTTP against the simulator', start);
