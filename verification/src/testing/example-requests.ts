import { WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
import { objectsOf } from './objects-of-a-tenant.ts';
import { validRequests, type ValidRequest } from './valid-bodies.ts';

/** For most operations, a request about an object that exists now. */
export async function exampleRequests(operator: ApiClient): Promise<Record<string, ValidRequest>> {
  const receiver = await WebhookReceiver.start();
  try {
    const objects = Object.entries(await objectsOf(operator, receiver));
    const about = objects.map(([name, [path, body]]) => [name, { path, ...(body && { body }) }] as const);
    return { ...(await validRequests(operator)), ...Object.fromEntries(about) };
  } finally {
    await receiver.stop();
  }
}
