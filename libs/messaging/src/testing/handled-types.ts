import { isEventType, type EventType } from '@fundrail/contracts';
import { PATTERN_METADATA } from '@nestjs/microservices/constants';
import 'reflect-metadata';

/** A Nest module or controller: a class with decorators' metadata. */
type Decorated = abstract new (...args: never[]) => object;

/**
 * The event types that a service consumes: those of `@OnEvent` and `@OnPublicEvents` on the controllers of its module and of
 * the modules that it imports. Every member of its group must handle all of these types.
 */
export function handledTypes(module: Decorated): Set<EventType> {
  const controllers = listOf(module, 'controllers').flatMap(patternsOf);
  const imported = listOf(module, 'imports').flatMap((part) => [...handledTypes(part)]);
  return new Set([...controllers, ...imported]);
}

function patternsOf(controller: Decorated): EventType[] {
  const { prototype } = controller as { prototype: object };
  const methods = Object.values(Object.getOwnPropertyDescriptors(prototype)).map(
    ({ value }) => value as unknown,
  );
  return methods.filter((method) => typeof method === 'function').flatMap(patternsOfMethod);
}

function patternsOfMethod(method: object): EventType[] {
  const patterns: unknown = Reflect.getMetadata(PATTERN_METADATA, method);
  return (Array.isArray(patterns) ? patterns : []).map(String).filter(isEventType);
}

function listOf(module: Decorated, key: 'controllers' | 'imports'): Decorated[] {
  const list: unknown = Reflect.getMetadata(key, module);
  return (Array.isArray(list) ? list : []).filter((part): part is Decorated => typeof part === 'function');
}
