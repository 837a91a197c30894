import { PAYMENT_FAILURE_CODES } from '@fundrail/contracts';
import { failureIn, languageOf, LANGUAGES, sayIn, TEXTS, type TextKey } from './texts.ts';

const keys = Object.keys(TEXTS.en.page) as TextKey[];
const braces = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe('the texts of the checkout pages', () => {
  it.each(LANGUAGES)(
    'given %s, when its table is compared with English, then it has every text and no other',
    (language) => {
      expect(Object.keys(TEXTS[language].page).sort()).toEqual([...keys].sort());
      expect(Object.keys(TEXTS[language].failures).sort()).toEqual([...PAYMENT_FAILURE_CODES].sort());
    },
  );

  it.each(LANGUAGES)(
    'given %s, when its texts are read, then none is empty and each fills in the same words',
    (language) => {
      for (const key of keys) {
        expect(TEXTS[language].page[key].trim()).not.toBe('');
        expect([key, braces(TEXTS[language].page[key])]).toEqual([key, braces(TEXTS.en.page[key])]);
      }
    },
  );

  it('given Hindi, when its texts are read, then each is written in Devanagari', () => {
    for (const text of [
      ...Object.values(TEXTS.hi.page),
      ...PAYMENT_FAILURE_CODES.flatMap((code) => [
        failureIn('hi', code, 'NETBANKING'),
        failureIn('hi', code, 'AUTH_TRANSACTION'),
      ]),
    ])
      expect(text).toMatch(/[\u0900-\u097f]/);
  });

  it('given a mandate that was refused, when the reason is shown, then it does not mention a payment', () => {
    expect(failureIn('en', 'user_cancelled', 'AUTH_TRANSACTION')).toBe('You declined the mandate.');
    expect(failureIn('en', 'user_cancelled', 'NETBANKING')).toBe('The payment was cancelled.');
    expect(failureIn('en', 'bank_downtime', 'AUTH_TRANSACTION')).toBe(
      failureIn('en', 'bank_downtime', 'NETBANKING'),
    );
  });

  it('given a mandate, when its page is shown, then it does not mention a payment or a total', () => {
    const say = sayIn('en', 'AUTH_TRANSACTION');
    expect([say('total'), say('upi_apps')]).toEqual(['Maximum per debit', 'Authorise with an app']);
  });

  it('given a text with placeholders, when it is rendered, then they are filled in', () => {
    expect(sayIn('en')('pay_amount', { amount: '₹5,000.00' })).toBe('Pay ₹5,000.00');
    expect(sayIn('hi')('pay_amount', { amount: '₹5,000.00' })).toBe('₹5,000.00 का भुगतान करें');
  });

  it.each<[string | undefined, string | undefined, string]>([
    [undefined, undefined, 'en'],
    [undefined, 'hi-IN,hi;q=0.9,en;q=0.8', 'hi'],
    [undefined, 'en;q=0.5, hi;q=0.7', 'hi'],
    [undefined, 'ta-IN,ta;q=0.9', 'en'],
    [undefined, 'ta, hi;q=0.3, en;q=0.2', 'hi'],
    [undefined, 'hi;q=0', 'en'],
    [undefined, 'HI', 'hi'],
    [undefined, ';;q=x,,', 'en'],
    ['en', 'hi', 'en'],
    ['hi', 'en', 'hi'],
    ['ta', 'hi', 'hi'],
  ])(
    'given lang=%s and Accept-Language %s, when the language is chosen, then it is %s',
    (chosen, accepted, language) => {
      expect(languageOf(chosen, accepted)).toBe(language);
    },
  );
});
