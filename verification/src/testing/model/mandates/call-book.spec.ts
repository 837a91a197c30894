import { CallBook } from './call-book.ts';

const MANDATE = 9;
const EXECUTE = { mandate_id: MANDATE, payment_id: 1, attempt: 1 } as const;

describe('the book of calls', () => {
  it.each(['CANCELLED', 'PAUSED', 'EXPIRED'])(
    'given a mandate that was reported as %s, when an attempt is sent, then it is a fault',
    (status) => {
      const book = new CallBook();
      book.close(MANDATE, status, []);
      book.use(EXECUTE);
      book.judge(MANDATE, 0);
      expect(book.broken).toEqual([`attempt 1 of 1 was sent after ${status} was reported to the caller`]);
    },
  );

  it('given a debit that was reported as in flight, when it is sent, then it is not a fault', () => {
    const book = new CallBook();
    book.close(MANDATE, 'CANCELLED', [1]);
    book.use(EXECUTE);
    book.judge(MANDATE, 0);
    expect(book.broken).toEqual([]);
  });

  it('given a pause that the investor has ended, when an attempt is sent, then it is not a fault', () => {
    const book = new CallBook();
    book.close(MANDATE, 'PAUSED', []);
    book.use(EXECUTE);
    book.judge(MANDATE, 1);
    expect(book.broken).toEqual([]);
  });

  it('given a mandate that was reported again as usable, when an attempt is sent, then it is not a fault', () => {
    const book = new CallBook();
    book.close(MANDATE, 'PAUSED', []);
    book.reopen(MANDATE);
    book.use(EXECUTE);
    book.judge(MANDATE, 0);
    expect(book.broken).toEqual([]);
  });
});
