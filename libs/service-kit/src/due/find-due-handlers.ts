import { DueLane, type DueHandler, type DueResult, type DueWork } from './due-work.ts';
import type { DueWorker } from './due-worker.ts';
import { handledKinds } from './handles-due.decorator.ts';

/** Gives the worker every `@HandlesDue` and every `DueLane` among the application's providers and controllers. */
export function addDueProviders(worker: DueWorker, instances: Iterable<object>): void {
  for (const instance of instances) {
    if (instance instanceof DueLane) worker.addLane(instance);
    const prototype: unknown = Object.getPrototypeOf(instance);
    if (typeof prototype !== 'object' || prototype === null) continue;
    for (const { kind, method } of handledKinds(prototype))
      worker.addHandler(handlerOf(instance, kind, method));
  }
}

function handlerOf(instance: object, kind: string, method: PropertyKey): DueHandler {
  const run: unknown = Reflect.get(instance, method);
  if (typeof run !== 'function') throw new Error(`@HandlesDue('${kind}') needs a method ${String(method)}()`);
  return {
    kind,
    handle: (work: DueWork) => (run as (work: DueWork) => Promise<DueResult>).call(instance, work),
  };
}
