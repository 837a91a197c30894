import type { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';

/** Each provider and controller once, even when several modules have it. */
export function instancesIn(modules: ModulesContainer): Set<object> {
  const all = [...modules.values()];
  return once([...all.flatMap(({ providers }) => [...providers.values()]), ...all.flatMap(controllersOf)]);
}

/** Each provider once, without controllers: their methods carry Nest's metadata of the routes and must not be wrapped. */
export function providersIn(modules: ModulesContainer): Set<object> {
  const controllers = once([...modules.values()].flatMap(controllersOf));
  return instancesIn(modules).difference(controllers);
}

type ModuleOf = ReturnType<ModulesContainer['values']> extends Iterable<infer One> ? One : never;

function controllersOf({ controllers }: ModuleOf): InstanceWrapper[] {
  return [...controllers.values()];
}

function once(wrappers: readonly InstanceWrapper[]): Set<object> {
  const instances = wrappers
    .filter((wrapper) => wrapper.isDependencyTreeStatic())
    .map((wrapper): unknown => wrapper.instance);
  return new Set(instances.filter((instance) => typeof instance === 'object' && instance !== null));
}
