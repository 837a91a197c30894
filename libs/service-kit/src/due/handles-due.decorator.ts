import 'reflect-metadata';

const KINDS = Symbol('fundrail:handles-due');

function add(on: object, entry: HandledKind): void {
  const known = handledKinds(on);
  Reflect.defineMetadata(KINDS, [...known, entry], on);
}

/** A due kind and the method that handles it. */
interface HandledKind {
  readonly kind: string;
  readonly method: PropertyKey;
}

/**
 * Declares the handler of due kinds: on a class, its `handle` method; on a method, that method. A service has exactly one for each
 * kind. `bootstrap` finds it; nothing has to be registered.
 */
export function HandlesDue(...kinds: readonly string[]): ClassDecorator & MethodDecorator {
  return (target: object, method?: PropertyKey): void => {
    for (const kind of kinds)
      if (method !== undefined) add(target, { kind, method });
      else add((target as { prototype: object }).prototype, { kind, method: 'handle' });
  };
}

/** The kinds that a class's prototype declares. */
export function handledKinds(prototype: object): readonly HandledKind[] {
  return (Reflect.getMetadata(KINDS, prototype) as HandledKind[] | undefined) ?? [];
}
