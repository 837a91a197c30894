import { pagesOf, definitions } from '@fundrail/standalone';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/internal';

/** Every GET route of the product, from its decorators (`/webhooks/endpoints/:id`), and the pages of the standalone. */
export async function getRoutes(): Promise<string[]> {
  const nothing = { running: new Map(), handlers: new Map(), stop: () => Promise.resolve() };
  const own = await pagesOf(nothing, 'http://127.0.0.1', false);
  const ofServices = definitions(true).flatMap(({ module }) => controllersOf(module));
  return [...own.keys(), ...ofServices.flatMap(routesOf)];
}

function controllersOf(module: Type): Type[] {
  const imported = listOf<Type>(module, MODULE_METADATA.IMPORTS).filter((part) => typeof part === 'function');
  return [...listOf<Type>(module, MODULE_METADATA.CONTROLLERS), ...imported.flatMap(controllersOf)];
}

function routesOf(controller: Type): string[] {
  const prefixes = listOf<string>(controller, PATH_METADATA);
  const methods = Object.values(Object.getOwnPropertyDescriptors(controller.prototype as object));
  return methods
    .map(({ value }): unknown => value)
    .filter((method) => typeof method === 'function')
    .filter((method) => Reflect.getMetadata(METHOD_METADATA, method) === RequestMethod.GET)
    .flatMap((method) => listOf<string>(method, PATH_METADATA))
    .flatMap((path) =>
      prefixes.map((prefix) => `/${prefix}/${path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')),
    );
}

/** The argument of a decorator as a list. */
function listOf<T>(decorated: object, key: string): T[] {
  return [(Reflect.getMetadata(key, decorated) as T | T[] | undefined) ?? []].flat() as T[];
}
