import type { PaymentFailureCode } from '@fundrail/contracts';
import { ENGLISH, ENGLISH_FAILURES } from './texts.en.ts';
import { HINDI, HINDI_FAILURES } from './texts.hi.ts';

export type TextKey = keyof typeof ENGLISH;
interface Texts {
  /** The language's name in itself. */
  readonly name: string;
  readonly says: Readonly<Record<TextKey, string>>;
  readonly failures: Readonly<Record<PaymentFailureCode, string>>;
}

/** The one table of what the pages say. A language is one more line and its file. */
export const TEXTS = {
  en: { name: 'English', says: ENGLISH, failures: ENGLISH_FAILURES },
  hi: { name: 'हिन्दी', says: HINDI, failures: HINDI_FAILURES },
} as const satisfies Record<string, Texts>;

export type Language = keyof typeof TEXTS;
export const LANGUAGES = Object.keys(TEXTS) as Language[];

/** A text in one language, its words in braces filled in. */
export type Say = (key: TextKey, words?: Readonly<Record<string, string | number>>) => string;

export function sayIn(language: Language): Say {
  return (key, words = {}) =>
    TEXTS[language].says[key].replaceAll(/\{(\w+)\}/g, (brace, name: string) => String(words[name] ?? brace));
}

/** Why a payment failed, for the investor. */
export function failureIn(language: Language, code: PaymentFailureCode): string {
  return TEXTS[language].failures[code];
}

/** The language that was chosen on the page, else the first of `Accept-Language` that we speak, else English. */
export function languageOf(chosen: string | undefined, accepted: string | undefined): Language {
  return known(chosen) ?? preferred(accepted ?? '') ?? 'en';
}

function known(text: string | undefined): Language | null {
  const base = text?.trim().toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === base) ?? null;
}

/** RFC 9110 §12.5.4: ranges with weights, the heaviest first; of equal ones the first. */
function preferred(header: string): Language | null {
  const ranges = header
    .split(',')
    .slice(0, 20)
    .map(rangeOf)
    .filter((range) => range.weight > 0);
  const [best] = ranges
    .sort((one, other) => other.weight - one.weight)
    .flatMap(({ tag }) => known(tag) ?? []);
  return best ?? null;
}

function rangeOf(text: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = text.split(';');
  const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
}
