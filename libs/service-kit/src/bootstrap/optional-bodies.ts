import type { OpenAPIObject } from '@nestjs/swagger';

/** The parts of a JSON Schema that decide whether an empty object matches it. */
interface Shape {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/**
 * A request without a body counts as one with an empty object (`SchemaPipe`), so the document requires a body only where one of its
 * fields is required.
 */
export function markOptionalBodies(document: OpenAPIObject): void {
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.post, item.put, item.patch]) {
      const body = operation?.requestBody;
      if (!body || '$ref' in body) continue;
      const schema = body.content['application/json']?.schema as Shape | undefined;
      if (schema && !requiresSomething(document, schema)) body.required = false;
    }
  }
}

function requiresSomething(document: OpenAPIObject, schema: Shape): boolean {
  const { $ref, required, anyOf, oneOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    const found = document.components?.schemas?.[name] as Shape | undefined;
    return found !== undefined && requiresSomething(document, found);
  }
  const choices = anyOf ?? oneOf ?? [];
  if (choices.length > 0) return choices.every((choice) => requiresSomething(document, choice));
  return (required?.length ?? 0) > 0;
}
