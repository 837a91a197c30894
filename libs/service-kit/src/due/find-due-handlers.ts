import type { ModulesContainer } from '@nestjs/core';
import { DueLane, type DueHandler, type DueResult, type DueWork } from './due-work.ts';
import type { DueWorker } from './due-worker.ts';
import { handledKinds } from './handles-due.decorator.ts';

/** Gives the worker every `@HandlesDue` and every `DueLane` among the application's providers. */
export function addDueProviders(worker: DueWorker, modules: ModulesContainer): void {
  for (const instance of instancesIn(modules)) {
    if (instance instanceof DueLane) worker.addLane(instance);
    const prototype: unknown = Object.getPrototypeOf(instance);
    if (typeof prototype !== 'object' || prototype === null) continue;
    for (const { kind, method } of handledKinds(prototype))
      worker.addHandler(handlerOf(instance, kind, method));
  }
}

/** Each provider and controller once, however many modules have it. */
function instancesIn(modules: ModulesContainer): Set<object> {
  const wrappers = [...modules.values()].flatMap((module) => [
    ...module.providers.values(),
    ...module.controllers.values(),
  ]);
  const instances = wrappers
    .filter((wrapper) => wrapper.isDependencyTreeStatic())
    .map((wrapper): unknown => wrapper.instance);
  return new Set(instances.filter((instance) => typeof instance === 'object' && instance !== null));
}

function handlerOf(instance: object, kind: string, method: PropertyKey): DueHandler {
  const run: unknown = Reflect.get(instance, method);
  if (typeof run !== 'function')
    throw new Error(`@HandlesDue('${kind}') stands on something that has no ${String(method)}()`);
  return {
    kind,
    handle: (work: DueWork) => (run as (work: DueWork) => Promise<DueResult>).call(instance, work),
  };
}
