import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';

const REF = '#/components/schemas/';
const alternatives = z.array(z.object({ $ref: z.string().startsWith(REF) })).min(2);
const choice = z.object({ oneOf: alternatives });
/** How zod writes a union. */
const union = z.object({ anyOf: alternatives });
const closed = z.object({ additionalProperties: z.literal(false) });
const alternative = z.object({
  properties: z.record(z.string(), z.object({ enum: z.array(z.string()).optional() })),
  required: z.array(z.string()),
});

/**
 * Names the field of each `oneOf` of the components whose values decide between the alternatives, with the schema of each value, so that a
 * generated client has one type for each (OPS-11). A union of closed components is a `oneOf` too: their required fields decide. What we send may have
 * more fields, so its unions stay `anyOf`.
 */
export function addDiscriminators(document: OpenAPIObject): void {
  const schemas: Readonly<Record<string, object>> = document.components?.schemas ?? {};
  for (const schema of Object.values(schemas)) {
    const { data: found } = union.safeParse(schema);
    if (
      found?.anyOf.every(({ $ref }) => closed.safeParse(schemas[$ref.slice(REF.length)]).success) === true
    ) {
      Object.assign(schema, { oneOf: found.anyOf });
      Reflect.deleteProperty(schema, 'anyOf');
    }
    const { data } = choice.safeParse(schema);
    if (data) Object.assign(schema, { discriminator: discriminatorOf(data.oneOf, schemas) });
  }
}

function discriminatorOf(
  oneOf: readonly { readonly $ref: string }[],
  schemas: Readonly<Record<string, object>>,
): object | undefined {
  const shapes = oneOf.map(({ $ref }) => ({
    $ref,
    ...alternative.parse(schemas[$ref.slice(REF.length)]),
  }));
  for (const propertyName of shapes[0]?.required ?? []) {
    const values = shapes.flatMap(({ $ref, properties, required }) =>
      required.includes(propertyName)
        ? (properties[propertyName]?.enum ?? []).map((value) => [value, $ref] as const)
        : [],
    );
    const mapping = Object.fromEntries(values);
    const isDecided = shapes.every(({ $ref }) => values.some(([, ref]) => ref === $ref));
    if (isDecided && Object.keys(mapping).length === values.length) return { propertyName, mapping };
  }
  return undefined;
}
