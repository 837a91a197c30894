import { mandateConformance, type MandateStage } from '@fundrail/providers/testing';
import { simulatedHands } from '../testing/mandate-stage.ts';
import { SimulatorStage } from '../testing/simulator-stage.ts';

async function start(): Promise<MandateStage> {
  const stage = await SimulatorStage.start();
  const { mandates } = stage.payments;
  return {
    ...simulatedHands(stage, 'gatewaypoa', (call) => call),
    mandates,
    voids: true,
    drawsTr: false,
    reportsTerms: true,
    read: ({ headers, raw }) => stage.payments.readCallback(headers, raw),
    callbacks: (reference) => Promise.resolve(stage.callbacks.about(reference)),
    reportedStates: (token) =>
      Promise.all(
        stage.callbacks.about(token).map(({ headers, raw }) => mandates.readMandateCallback(headers, raw)),
      ),
  };
}

mandateConformance('gatewaypoa over HTTP against the simulator', start);
