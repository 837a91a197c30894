import { readdirSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { JsonNumber, parseJson } from '../json.ts';
import { shapeOf, type Property } from '../testing/schema-shape.ts';
import { EVENT_TYPES, EVENTS, eventData, type EventType } from './catalogue.ts';

const FOLDER = new URL('golden/', import.meta.url);

/** `payment.updated.json`, and if one example does not show every field, `payment.updated.<variant>.json` too. */
const golden = readdirSync(FOLDER).map((file) => ({
  file,
  type: file.split('.').slice(0, 2).join('.') as EventType,
  text: readFileSync(new URL(file, FOLDER), 'utf8'),
}));

/** The schemas of `data.object`, each with the types that carry it. */
const schemas = [...Map.groupBy(EVENT_TYPES, (type): z.ZodType => EVENTS[type].object)].map(
  ([object, types]) => ({
    name: object.meta()?.id,
    object,
    types,
  }),
);

/** Every path of properties in a JSON value, in the notation of `shapeOf`: `refunds[].reason`. */
function pathsIn(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return [];
  return Object.entries(value).flatMap(([key, property]) => {
    const path = `${prefix}${key}${Array.isArray(property) ? '[]' : ''}`;
    const items: unknown[] = Array.isArray(property) ? property : [property];
    return [path, ...items.flatMap((item) => pathsIn(item, `${path}.`))];
  });
}

function lineOf({ path, type, optional, nullable }: Property): string {
  return `${path}${optional ? '?' : ''}: ${type}${nullable ? ' | null' : ''}`;
}

describe('golden files (EVT-10)', () => {
  it.each(EVENT_TYPES)('%s has one', (type) => {
    expect(golden.map(({ file }) => file)).toContain(`${type}.json`);
  });

  it.each(golden)('$file is of a type in the catalogue', ({ type }) => {
    expect(EVENT_TYPES).toContain(type);
  });

  it.each(golden)('$file parses by its schema and prints back byte for byte', ({ type, text }) => {
    const data = eventData(EVENTS[type].object).parse(parseJson(text));

    expect(`${JSON.stringify(data, null, 2)}\n`).toBe(text);
  });
});

it.each(golden.filter(({ type }) => EVENTS[type].public))(
  '$file names the kind of its object, by which a receiver routes it (EVT-3)',
  ({ type, text }) => {
    const { object } = parseJson(text) as { object: { object: unknown } };
    expect(object.object).toBe(type.slice(0, type.indexOf('.')));
  },
);

describe.each(schemas)('the schema $name', ({ object, types }) => {
  // After an intended change: edit the golden files, then `npm run jest -- golden -u`.
  it('is what the golden files were written for', () => {
    expect(shapeOf(object).map(lineOf).join('\n')).toMatchSnapshot();
  });

  it('has only properties that a golden file shows', () => {
    const shown = golden
      .filter(({ type }) => types.includes(type))
      .flatMap(({ text }) => pathsIn((parseJson(text) as { object: unknown }).object));

    expect(new Set(shown)).toEqual(new Set(shapeOf(object).map(({ path }) => path)));
  });
});
