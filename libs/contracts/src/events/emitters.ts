import { SERVICES, TOPOLOGY, type ServiceName } from '../topology.ts';
import type { EventType } from './catalogue.ts';

/** The service that writes each topic. A spec of tools/docs compares it with the sources. */
export const EMITTERS: Readonly<Record<string, ServiceName>> = Object.fromEntries(
  SERVICES.flatMap((name) => TOPOLOGY[name].topics.map((topic) => [topic, name])),
);

/** The service whose outbox an event comes from. Throws for a topic without one. */
export function emitterOf(type: EventType): ServiceName {
  const emitter = EMITTERS[type.slice(0, type.indexOf('.'))];
  if (!emitter) throw new Error(`no service writes ${type}`);
  return emitter;
}
