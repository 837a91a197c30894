import type { ServiceMetrics } from './service-metrics.ts';
import { refusalOf } from '../http/errors/error-answer.ts';

type Run = (...args: unknown[]) => unknown;

/** The values of the label `outcome`: the caller receives a refusal; a failure is our fault. */
type UseCaseOutcome = 'done' | 'refused' | 'failed';

const FIRST_SERVER_ERROR = 500;

/**
 * Measures every use case among these providers: one class, one `execute` (architecture, "The parts of a service"), called by a
 * route, an event or due work. The label is the class's name, so there are as many values as classes.
 */
export function measureUseCases(
  instances: Iterable<object>,
  metrics: Pick<ServiceMetrics, 'histogram'>,
): void {
  const durations = metrics.histogram({
    name: 'fundrail_use_case_duration_seconds',
    help: 'Use cases that have ended, by name and outcome',
    labelNames: ['use_case', 'outcome'],
  });
  for (const instance of instances) {
    const execute: unknown = Reflect.get(instance, 'execute');
    if (typeof execute !== 'function') continue;
    const use_case = snakeCase(instance.constructor.name);
    const measured = (...args: unknown[]): unknown => {
      const began = performance.now();
      const report = (outcome: UseCaseOutcome) =>
        durations.observe({ use_case, outcome }, (performance.now() - began) / 1000);
      return reporting(() => (execute as Run).apply(instance, args), report);
    };
    Reflect.set(instance, 'execute', measured);
  }
}

/** Runs the work and reports how it ended, also when it ends later. Returns exactly what the work returns. */
function reporting(work: () => unknown, report: (outcome: UseCaseOutcome) => void): unknown {
  try {
    const result = work();
    if (result instanceof Promise)
      result.then(
        () => report('done'),
        (error: unknown) => report(outcomeOf(error)),
      );
    else report('done');
    return result;
  } catch (error) {
    report(outcomeOf(error));
    throw error;
  }
}

function outcomeOf(error: unknown): UseCaseOutcome {
  const refusal = refusalOf(error);
  return refusal && refusal.status < FIRST_SERVER_ERROR ? 'refused' : 'failed';
}

/** `CreatePayment` → `create_payment`, `AuthoriseByURI` → `authorise_by_uri`. */
function snakeCase(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2').toLowerCase();
}
