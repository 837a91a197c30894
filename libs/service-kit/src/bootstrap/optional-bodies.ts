import type { OpenAPIObject } from '@nestjs/swagger';

/** As much of a JSON Schema as says whether an empty object fits it. */
interface Shape {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/**
 * A request without a body counts as one with an empty object (`SchemaPipe`), so a body is required only where something in it is:
 * the document must not ask for more than the product does.
 */
export function tellOptionalBodies(document: OpenAPIObject): void {
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.post, item.put, item.patch]) {
      const body = operation?.requestBody;
      if (!body || '$ref' in body) continue;
      const schema = body.content['application/json']?.schema as Shape | undefined;
      if (schema && !asksForSomething(document, schema)) body.required = false;
    }
  }
}

function asksForSomething(document: OpenAPIObject, schema: Shape): boolean {
  const { $ref, required, anyOf, oneOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    const found = document.components?.schemas?.[name] as Shape | undefined;
    return found !== undefined && asksForSomething(document, found);
  }
  const choices = anyOf ?? oneOf ?? [];
  if (choices.length > 0) return choices.every((choice) => asksForSomething(document, choice));
  return (required?.length ?? 0) > 0;
}
