import type { ModulesContainer } from '@nestjs/core';

/** A method of a controller, with the keys of its decorators' metadata. */
export interface ControllerMethod {
  readonly controller: object;
  readonly name: string;
  readonly handler: object;
}

/** The methods of all controllers, routes or not. */
export function controllerMethods(modules: ModulesContainer): ControllerMethod[] {
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    const { prototype } = metatype as { prototype: object };
    return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
      typeof value === 'function' ? [{ controller: metatype, name, handler: value as object }] : [],
    );
  });
}
