import {
  COMPATIBILITIES,
  listMfPurchases,
  NAMED_FIELDS,
  NAMED_KEYS,
  nameFor,
  OBJECTS,
  paymentFilters,
  type ObjectRules,
} from '@fundrail/contracts';
import { table } from './markdown.ts';

const code = (word: string) => `\`${word}\``;
/** The filters of the lists of these objects. */
const FILTERS: Readonly<Record<string, object>> = {
  mf_purchase: listMfPurchases.out.shape,
  payment: paymentFilters,
};
const codes = (words: readonly string[]) => words.map(code).join(', ');

/** The upstream's names and values for ours, by field and key, for docs/migrate.md. */
export function compatibilityTable(): string {
  const head = [
    'Where',
    'Ours',
    'Understood in requests',
    ...COMPATIBILITIES.map((as) => `Answered to ${code(as)}`),
  ];
  const fields = Object.entries(NAMED_FIELDS).flatMap(([field, names]) =>
    names.map((one) => [
      code(field),
      code(one.ours),
      codes(one.theirs),
      ...COMPATIBILITIES.map((as) => code(nameFor(one, as))),
    ]),
  );
  const keys = Object.entries(NAMED_KEYS).flatMap(([parent, names]) =>
    Object.entries(names).map(([ours, theirs]) => [
      `keys of ${code(parent)}`,
      code(ours),
      'answers only',
      ...COMPATIBILITIES.map(() => code(theirs)),
    ]),
  );
  const values = Object.entries<ObjectRules>(OBJECTS).flatMap(([object, rules]) =>
    Object.entries(rules.values).flatMap(([field, names]) =>
      Object.entries(names).map(([ours, theirs]) => [
        `${code(field)} of ${code(object)}`,
        code(ours),
        field in (FILTERS[object] ?? {}) ? `${code(theirs)} in filters` : 'answers only',
        ...COMPATIBILITIES.map(() => code(theirs)),
      ]),
    ),
  );
  return `\n${table(head, [...fields, ...keys, ...values])}\n\n`;
}
