import type { ModulesContainer } from '@nestjs/core';

/** Each provider and controller once, however many modules have it. */
export function instancesIn(modules: ModulesContainer): Set<object> {
  const wrappers = [...modules.values()].flatMap((module) => [
    ...module.providers.values(),
    ...module.controllers.values(),
  ]);
  const instances = wrappers
    .filter((wrapper) => wrapper.isDependencyTreeStatic())
    .map((wrapper): unknown => wrapper.instance);
  return new Set(instances.filter((instance) => typeof instance === 'object' && instance !== null));
}
