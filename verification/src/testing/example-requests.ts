import { WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './api-client.ts';
import { objectsOf } from './objects-of-a-tenant.ts';
import type { Requests } from './operation-requests.ts';
import { validRequests } from './valid-bodies.ts';

/** For most operations, a request about an object that exists now. */
export async function exampleRequests(operator: ApiClient): Promise<Requests> {
  const receiver = await WebhookReceiver.start();
  try {
    const objects = await objectsOf(operator, receiver);
    return { ...(await validRequests(operator)), ...objects };
  } finally {
    await receiver.stop();
  }
}
