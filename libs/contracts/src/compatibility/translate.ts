import { isPlain } from '../text.ts';
import { NAMED_FIELDS, NAMED_KEYS, nameFor, renamedIn, type Compatibility } from './names.ts';
import { endpointWarnings, INSIDE, OBJECTS, type ObjectRules, THEIR_VALUES } from './objects.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A request's body in our names (COMP-2). Our own names, and everything else, stay as they are. */
export function fromUpstream(value: unknown): unknown {
  return walk(value, { text: ourName, object: (_field, fields) => fields });
}

/** A request's query in our names and values, so that a filter takes the values that answers have (COMP-2, COMP-6). */
export function queryFromUpstream(query: unknown): unknown {
  return walk(query, {
    text: (field, text) => ownOf(ownOf(THEIR_VALUES, field) ?? {}, text) ?? ourName(field, text),
    object: (_field, fields) => fields,
  });
}

/**
 * An answer or an event in the upstream's names, values and fields (COMP-2, COMP-3, COMP-6). A second translation changes nothing. An
 * export of a person gets no fields: it shows what is stored (INV-20).
 */
export function toUpstream(value: unknown, compatibility: Compatibility): unknown {
  const isExport = isPlain(value) && value['object'] === 'investor_export';
  return walk(value, {
    text: (field, text) => {
      const names = namesOf(field).find(({ ours }) => ours === text);
      return names ? nameFor(names, compatibility) : text;
    },
    object: (field, fields) => {
      const ours = inTheirValues(renamed(fields, ownOf(NAMED_KEYS, field) ?? {}));
      const shown = isExport ? ours : withFieldsOfKind(withAll(ours, field));
      return field === 'error' ? inTheirNames(shown, compatibility) : shown;
    },
  });
}

/** With 400, which a refusal already has that was stored as it was sent. */
const SENT_AS_400: readonly unknown[] = [400, 409, 422];

/**
 * A refusal as the upstream sends it: 400 in place of 409 and 422 (COMP-9); null for any other answer. `code` and `message` stay: they
 * state the reason, with names as `toUpstream` writes them. Those of an Idempotency-Key stay too, because the upstream has none.
 */
export function refusalForUpstream(answer: unknown): object | null {
  const error = isPlain(answer) ? answer['error'] : null;
  if (!isPlain(error) || !SENT_AS_400.includes(error['status'])) return null;
  return String(error['code']).startsWith('IDEMPOTENCY_') ? null : { error: { ...error, status: 400 } };
}

/** A refusal whose sentences have the upstream's names, since they say what to send instead (COMP-9). */
function inTheirNames(error: Fields, compatibility: Compatibility): Fields {
  const { message, errors } = error;
  if (typeof message !== 'string' || !Array.isArray(errors)) return error;
  const say = (text: unknown) => (typeof text === 'string' ? renamedIn(text, compatibility) : text);
  const fields = errors.map((one: unknown) =>
    isPlain(one) ? { ...one, message: say(one['message']) } : one,
  );
  return { ...error, message: say(message), errors: fields };
}

/** The failure code of a payment as a client of that compatibility receives it, outside of an object too (COMP-6). */
export function failureCodeFor(compatibility: Compatibility | null, code: string): string {
  return compatibility === null ? code : theirValue(OBJECTS.payment, 'failure_code', code);
}

interface Rules {
  /** A text in that field. */
  readonly text: (field: string, text: string) => string;
  /** An object in that field, whose own fields are translated. */
  readonly object: (field: string, fields: Fields) => Fields;
}

/** The same value by the rules. Numbers and other instances of classes are the same objects, so amounts keep their digits. */
function walk(value: unknown, rules: Rules, field = ''): unknown {
  if (typeof value === 'string') return rules.text(field, value);
  if (Array.isArray(value)) return value.map((item: unknown) => walk(item, rules, field));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, walk(inner, rules, key)]);
  return rules.object(field, Object.fromEntries(entries) as Fields);
}

function renamed(fields: Fields, keys: Readonly<Record<string, string>>): Fields {
  const entries = Object.entries(fields).map(([key, value]) => [ownOf(keys, key) ?? key, value]);
  return Object.fromEntries(entries) as Fields;
}

/** The fields with those that the upstream has inside the object of that field. */
function withAll(fields: Fields, field: string): Fields {
  const missing = (ownOf(INSIDE, field) ?? []).filter((name) => !Object.hasOwn(fields, name));
  return { ...fields, ...Object.fromEntries(missing.map((name) => [name, null])) };
}

/** The fields with the upstream's values in an object of its kind. */
function inTheirValues(fields: Fields): Fields {
  const rules = rulesOf(fields);
  if (!rules) return fields;
  const valueOf = (field: string, value: unknown) =>
    typeof value === 'string' ? theirValue(rules, field, value) : value;
  const known = Object.entries(fields).map(([field, value]) => [field, valueOf(field, value)]);
  return Object.fromEntries(known) as Fields;
}

/** The fields with those that the upstream has in an object of its kind. */
function withFieldsOfKind(fields: Fields): Fields {
  if (kindOf(fields) === 'notification_webhook') {
    const warnings = endpointWarnings(fields['events']);
    return warnings.length === 0 ? fields : { ...fields, warnings };
  }
  const added = Object.entries(rulesOf(fields)?.added ?? {});
  return { ...fields, ...Object.fromEntries(added.filter(([field]) => !Object.hasOwn(fields, field))) };
}

function kindOf(fields: Fields): unknown {
  return Object.hasOwn(fields, 'object') ? fields['object'] : null;
}

function rulesOf(fields: Fields): ObjectRules | undefined {
  const kind = kindOf(fields);
  return typeof kind === 'string' ? ownOf<ObjectRules>(OBJECTS, kind) : undefined;
}

function theirValue({ values }: ObjectRules, field: string, ours: string): string {
  return ownOf(ownOf(values, field) ?? {}, ours) ?? ours;
}

function ourName(field: string, text: string): string {
  return namesOf(field).find(({ theirs }) => theirs.includes(text))?.ours ?? text;
}

function namesOf(field: string) {
  return ownOf(NAMED_FIELDS, field) ?? [];
}

/** The entry of that name, never one of the prototype: names come from clients. */
function ownOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
