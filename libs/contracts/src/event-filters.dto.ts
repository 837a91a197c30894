import { z } from 'zod';
import { PUBLIC_EVENT_TYPES, PUBLIC_OBJECT_TYPES } from './event.dto.ts';
import type { EventType } from './events/catalogue.ts';
import { planId } from './ids.ts';
import { patternsFor } from './notification-webhook.dto.ts';
import { plainText } from './text.ts';

/** Kinds of objects whose events carry an integer id; all others carry a prefixed id. */
const COUNTED: readonly string[] = ['payment', 'mandate'];

/** Filter lists of events and deliveries by their object. A plan's id may be written `mfrp_…`. */
export const objectFilters = {
  object_id: plainText(64).transform(planId).optional(),
  object_type: z.enum(PUBLIC_OBJECT_TYPES).optional(),
};

/** A payment and a mandate may have the same number, so a number alone does not identify an object. */
export function oneObject(
  {
    object_id,
    object_type,
  }: { readonly object_id?: string | undefined; readonly object_type?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (object_id === undefined || !/^\d+$/.test(object_id)) return;
  if (object_type === undefined) {
    const message = `requires object_type when it is a number: ${COUNTED.join(' or ')}`;
    context.addIssue({ code: 'custom', path: ['object_id'], message });
  } else if (!COUNTED.includes(object_type)) {
    const message = `must be the prefixed id of the ${object_type}: only a ${COUNTED.join(' or ')} has a number as its id`;
    context.addIssue({ code: 'custom', path: ['object_id'], message });
  }
}

/** The public types of events that fit both filters; null when neither is given. */
export function typesAsked(
  pattern: string | undefined,
  objectType: string | undefined,
): readonly EventType[] | null {
  if (pattern === undefined && objectType === undefined) return null;
  return PUBLIC_EVENT_TYPES.filter(
    (type) =>
      (pattern === undefined || patternsFor(type).includes(pattern)) &&
      (objectType === undefined || type.startsWith(`${objectType}.`)),
  );
}
