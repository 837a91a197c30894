import type { OpenAPIObject } from '@nestjs/swagger';
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts';

type Part = Record<string, unknown>;

/** Where a field stands: its schema or operation, and the field whose value it is a part of. */
interface Place {
  readonly schema: string;
  readonly parent?: string;
}

/** Describes every field and every parameter of the document by `FIELD_DESCRIPTIONS` (OPS-11). */
export function describeFields(document: OpenAPIObject): void {
  describeSchemas({ ...document.components?.schemas });
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item as Readonly<Record<string, Part>>)) {
      const schema = String(operation['operationId']);
      describeIn(operation, { schema });
      for (const parameter of partsOf(operation['parameters']))
        describe(parameter, String(parameter['name']), { schema, parent: String(parameter['in']) });
    }
}

/** The same for schemas by their names. */
export function describeSchemas(schemas: Readonly<Record<string, object>>): void {
  for (const [schema, part] of Object.entries(schemas)) describeIn(part, { schema });
}

function describeIn(part: unknown, place: Place): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key !== 'properties') {
      describeIn(value, place);
      continue;
    }
    for (const [name, field] of Object.entries(value as Readonly<Record<string, Part>>)) {
      describe(field, name, place);
      describeIn(field, { ...place, parent: name });
    }
  }
}

function describe(field: Part, name: string, { schema, parent }: Place): void {
  const ofType = field['description'];
  const here = FIELD_DESCRIPTIONS[`${parent}.${name}`] ?? FIELD_DESCRIPTIONS[`${schema}.${name}`];
  const both = here !== undefined && typeof ofType === 'string' ? `${here} (${ofType})` : here;
  const text = both ?? ofType ?? FIELD_DESCRIPTIONS[name];
  if (text !== undefined) field['description'] = text;
}

const partsOf = (list: unknown) => (Array.isArray(list) ? (list as Part[]) : []);
