import type { MandateStage } from '@fundrail/providers/testing';
import { ADAPTER_TIMEOUT_MS, type SimulatorStage } from './simulator-stage.ts';

const CALLS = {
  lost: 'drop',
  late: 'delay',
  slow: 'delay',
  overtaken: 'reorder',
  status_500: 'status_500',
  nonsense: 'nonsense',
} as const;
const CALLBACKS = { lost: 'drop', duplicate: 'duplicate', reorder: 'reorder', nonsense: 'nonsense' } as const;
const DELAY_MS: Partial<Record<keyof typeof CALLS, number>> = {
  late: 2 * ADAPTER_TIMEOUT_MS,
  slow: ADAPTER_TIMEOUT_MS / 4,
  overtaken: 2 * ADAPTER_TIMEOUT_MS,
};

/** The actions of a mandate stage that both simulated providers share. */
export function simulatedHands(
  stage: SimulatorStage,
  target: 'gatewaypoa' | 'sdkvendor',
  nameOf: (call: Parameters<MandateStage['disturb']>[0]) => string,
) {
  const must = async (path: string, body: object) => {
    const answer = await stage.post(path, body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  };
  const fault = (parts: object) => must('/sandbox/faults', { target, times: 1, ...parts });
  return {
    payers: { pays: 'success@upi', declines: 'failure@upi', waits: 'timeout@upi', unknown: 'unknown@upi' },
    now: async () => {
      const { body } = await stage.get('/sandbox/clock');
      return new Date(String(body['now']));
    },
    pass: (advance) => must('/sandbox/clock', { advance }),
    disturb: (call, how) => {
      return fault({ operation: nameOf(call), kind: CALLS[how], delay_ms: DELAY_MS[how] ?? null });
    },
    disturbCallback: async (topic, how) => {
      await stage.callbacksSent();
      await fault({ operation: `callback_${topic}`, kind: CALLBACKS[how] });
    },
    act: (id, status) => must(`/api/pg/simulate/mandates/${id}`, { status }),
    pay: (id) => must(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }),
    decline: (id, failure_code) =>
      must(`/api/pg/simulate/payments/${id}`, { status: 'FAILED', failure_code }),
    end: () => stage.end(),
  } satisfies Partial<MandateStage>;
}
