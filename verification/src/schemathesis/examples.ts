import type { ValidRequest } from '../testing/operation-requests.ts';

/** The part of an OpenAPI document that receives examples. */
export interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}
interface DocumentedOperation {
  readonly parameters?: {
    readonly name: string;
    readonly in: string;
    readonly schema?: { readonly type?: unknown };
    example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { example?: unknown }>> };
}

/** Adds examples with existing objects to the document, so that not every generated request is a 404. */
export function addExamples(document: Documented, examples: Readonly<Record<string, ValidRequest>>): void {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const example = examples[`${method.toUpperCase()} ${path}`];
      if (example) addExample(operation, path, example);
    }
  }
}

function addExample(operation: DocumentedOperation, path: string, example: ValidRequest): void {
  const values = valuesOf(path, example.path);
  for (const parameter of operation.parameters ?? []) {
    const value = values.get(parameter.name);
    if (parameter.in !== 'path' || value === undefined) continue;
    parameter.example = parameter.schema?.type === 'integer' ? Number(value) : value;
  }
  const json = operation.requestBody?.content['application/json'];
  if (json && example.body) json.example = example.body;
}

/** The parameters of a path that was filled in: `/v2/things/{id}` and `/v2/things/7?x=1` → id 7. */
function valuesOf(template: string, filled: string): ReadonlyMap<string, string> {
  const [bare = ''] = filled.split('?', 1);
  const parts = bare.split('/');
  const named = template.split('/').flatMap((part, at): [string, string][] => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = parts[at];
    return name !== undefined && value !== undefined ? [[name, value]] : [];
  });
  return new Map(named);
}
