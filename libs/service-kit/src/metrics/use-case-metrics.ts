import type { ServiceMetrics } from './service-metrics.ts';
import { refusalOf } from '../http/errors/error-answer.ts';

type Run = (...args: unknown[]) => unknown;

/** The values of the label `outcome`: a refusal is told to whoever asked, a failure is ours. */
export type UseCaseOutcome = 'done' | 'refused' | 'failed';

const FIRST_FAULT_OF_OURS = 500;

/**
 * Measures every use case among these providers: one class, one `execute` (architecture, "The parts of a service"), whoever calls
 * it, a route, an event or due work. The name is the class's, so there are as many values as classes.
 */
export function measureUseCases(
  instances: Iterable<object>,
  metrics: Pick<ServiceMetrics, 'histogram'>,
): void {
  const durations = metrics.histogram({
    name: 'fundrail_use_case_duration_seconds',
    help: 'Use cases that have ended, by name and by what came of them',
    labelNames: ['use_case', 'outcome'],
  });
  for (const instance of instances) {
    const execute: unknown = Reflect.get(instance, 'execute');
    if (typeof execute !== 'function') continue;
    const use_case = snakeCase(instance.constructor.name);
    const measured = (...args: unknown[]): unknown => {
      const began = performance.now();
      const tell = (outcome: UseCaseOutcome) =>
        durations.observe({ use_case, outcome }, (performance.now() - began) / 1000);
      return told(() => (execute as Run).apply(instance, args), tell);
    };
    Reflect.set(instance, 'execute', measured);
  }
}

/** Runs the work and tells how it ended, at once or later. Answers exactly what the work does. */
function told(work: () => unknown, tell: (outcome: UseCaseOutcome) => void): unknown {
  try {
    const result = work();
    if (result instanceof Promise)
      result.then(
        () => tell('done'),
        (error: unknown) => tell(outcomeOf(error)),
      );
    else tell('done');
    return result;
  } catch (error) {
    tell(outcomeOf(error));
    throw error;
  }
}

function outcomeOf(error: unknown): UseCaseOutcome {
  const refusal = refusalOf(error);
  return refusal && refusal.status < FIRST_FAULT_OF_OURS ? 'refused' : 'failed';
}

/** `CreatePayment` → `create_payment`, `AuthoriseByURI` → `authorise_by_uri`. */
function snakeCase(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2').toLowerCase();
}
