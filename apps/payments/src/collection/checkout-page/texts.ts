import type { PaymentFailureCode } from '@fundrail/contracts';
import type { PaymentRow } from '../../payment/payment.tables.ts';
import {
  ENGLISH,
  ENGLISH_AUTHORISATION,
  ENGLISH_AUTHORISATION_FAILURES,
  ENGLISH_FAILURES,
} from './texts.en.ts';
import { HINDI, HINDI_AUTHORISATION, HINDI_AUTHORISATION_FAILURES, HINDI_FAILURES } from './texts.hi.ts';

export type TextKey = keyof typeof ENGLISH;
interface Texts {
  /** The language's own name. */
  readonly name: string;
  readonly page: Readonly<Record<TextKey, string>>;
  /** Texts that differ for the authorisation of a mandate. */
  readonly authorisation: Readonly<Partial<Record<TextKey, string>>>;
  readonly failures: Readonly<Record<PaymentFailureCode, string>>;
  readonly authorisationFailures: Readonly<Partial<Record<PaymentFailureCode, string>>>;
}

/** The texts of the pages. A new language is one more entry and its file. */
export const TEXTS = {
  en: {
    name: 'English',
    page: ENGLISH,
    authorisation: ENGLISH_AUTHORISATION,
    failures: ENGLISH_FAILURES,
    authorisationFailures: ENGLISH_AUTHORISATION_FAILURES,
  },
  hi: {
    name: 'हिन्दी',
    page: HINDI,
    authorisation: HINDI_AUTHORISATION,
    failures: HINDI_FAILURES,
    authorisationFailures: HINDI_AUTHORISATION_FAILURES,
  },
} as const satisfies Record<string, Texts>;

export type Language = keyof typeof TEXTS;
export const LANGUAGES = Object.keys(TEXTS) as Language[];

/** What the page is about. */
type About = PaymentRow['payment_type'];
/** A text in one language, with its placeholders filled in. */
export type Say = (key: TextKey, words?: Readonly<Record<string, string | number>>) => string;

export function sayIn(language: Language, about: About = 'NETBANKING'): Say {
  const { page, authorisation }: Texts = TEXTS[language];
  const texts = about === 'AUTH_TRANSACTION' ? { ...page, ...authorisation } : page;
  return (key, words = {}) =>
    texts[key].replaceAll(/\{(\w+)\}/g, (brace, name: string) => String(words[name] ?? brace));
}

/** Why a payment or an authorisation failed, for the investor. */
export function failureIn(language: Language, code: PaymentFailureCode, about: About): string {
  const { failures, authorisationFailures }: Texts = TEXTS[language];
  return (about === 'AUTH_TRANSACTION' && authorisationFailures[code]) || failures[code];
}

/** The language that was chosen on the page, else the first of `Accept-Language` that is supported, else English. */
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
