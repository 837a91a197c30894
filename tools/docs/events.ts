import { EVENT_TYPES, EVENTS } from '@fundrail/contracts';
import { shapeOf } from '../../libs/contracts/src/testing/schema-shape.ts';
import type { Property } from '../../libs/contracts/src/testing/schema-shape.ts';
import { GENERATED, table } from './markdown.ts';

/** `docs/events.md`: the catalogue, and the shape of what each event carries. */
export function eventsPage(): string {
  const objects = new Map(EVENT_TYPES.map((type) => [nameOf(type), EVENTS[type].object]));
  return [
    '# Events',
    GENERATED,
    'Declared in `libs/contracts/src/events/catalogue.ts`; an example of each is in `libs/contracts/src/events/golden`. Internal events travel between services and never reach a webhook.',
    table(['Type', 'Sent when', 'Version', 'To', '`data.object`'], EVENT_TYPES.map(lineOf)),
    '`data` is `{ "object": …, "previous_attributes": … }`: the object as its GET answers it, and the old values of the fields that changed (null on creation).',
    ...[...objects].flatMap(([name, object]) => [
      `## ${name}`,
      table(['Field', 'Type', 'Null', 'Always there'], shapeOf(object).map(fieldLine)),
    ]),
  ].join('\n\n');
}

function nameOf(type: (typeof EVENT_TYPES)[number]): string {
  return EVENTS[type].object.meta()?.id ?? type;
}

function lineOf(type: (typeof EVENT_TYPES)[number]): string[] {
  const { when, version, public: isPublic } = EVENTS[type];
  const name = nameOf(type);
  const to = isPublic ? 'clients and services' : 'services only';
  return [`\`${type}\``, when, String(version), to, `[${name}](#${name.toLowerCase()})`];
}

function fieldLine({ path, type, nullable, optional }: Property): string[] {
  return [`\`${path}\``, type, nullable ? 'may be' : 'never', optional ? 'no' : 'yes'];
}
