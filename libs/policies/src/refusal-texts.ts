import { Decimal, inRupees, type PolicyWords } from '@fundrail/contracts';
import type { Facts, Parameters, Policy } from './define-policy.ts';

type Refusal = NonNullable<Policy['refusal']>;
type Values = Readonly<Record<string, Facts[string] | string[]>>;

/** A refusal's texts with the values of the rule in their places. A fact that is not given stays a name in braces. */
export function refusalTexts(refusal: Refusal, from: string, parameters: Parameters, facts: Facts = {}) {
  const values = { from, ...parameters, ...refusal.shows?.(parameters), ...facts };
  const { en, hi } = refusal.investor;
  const investor: PolicyWords = { en: filled(en, values), hi: filled(hi, values) };
  return { code: refusal.code, message: filled(refusal.message, values), investor };
}

function filled(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => shown(values[name]) ?? place);
}

/** An amount as `₹13,34,567.50`, a whole number in Indian grouping. */
function shown(value: Values[string] | undefined): string | undefined {
  if (value instanceof Decimal) return inRupees(value);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'number'
    ? inRupees(Decimal.parse(String(value))).slice(1, -'.00'.length)
    : value?.toString();
}
