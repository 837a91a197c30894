import { PermitBook } from './permit-book.ts';

const MANDATE = 9;
const EXECUTE = { mandate_id: MANDATE, payment_id: 1, step: 'execute', attempt: 1 } as const;

describe('the permit book', () => {
  it.each(['CANCELLED', 'PAUSED', 'EXPIRED'])(
    'given a mandate that was reported as %s, when a permit is granted, then it is a fault',
    (status) => {
      const book = new PermitBook();
      book.close(MANDATE, status, []);
      book.grant(EXECUTE);
      book.judge(MANDATE, 0);
      expect(book.broken).toEqual([
        `permit 1 execute 1 was granted after ${status} was reported to the caller`,
      ]);
    },
  );

  it('given a debit that was reported as in flight, when its permit is granted again, then it is not a fault', () => {
    const book = new PermitBook();
    book.grant(EXECUTE);
    book.close(MANDATE, 'CANCELLED', [1]);
    book.grant(EXECUTE);
    book.judge(MANDATE, 0);
    expect(book.broken).toEqual([]);
  });

  it('given a pause that the investor has ended, when a permit is granted, then it is not a fault', () => {
    const book = new PermitBook();
    book.close(MANDATE, 'PAUSED', []);
    book.grant(EXECUTE);
    book.judge(MANDATE, 1);
    expect(book.broken).toEqual([]);
  });

  it('given one permit, when the provider is called twice, then the second call is a fault', () => {
    const book = new PermitBook();
    book.grant(EXECUTE);
    book.use(EXECUTE);
    expect(book.broken).toEqual([]);
    book.use(EXECUTE);
    expect(book.broken).toEqual(['the provider was called for 1 execute 1 without a permit']);
  });

  it('given a permit whose answer was lost, when the provider is called, then it is a fault', () => {
    const book = new PermitBook();
    book.grant(EXECUTE, false);
    expect(book.wasGranted(EXECUTE)).toBe(true);
    book.use(EXECUTE);
    expect(book.broken).toEqual(['the provider was called for 1 execute 1 without a permit']);
  });
});
