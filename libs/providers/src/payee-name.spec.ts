import { isSamePayee } from './payee-name.ts';

describe('the name of the payee in a UPI URI', () => {
  it.each([
    ['Acme Wealth Pvt. Ltd.', 'ACME WEALTH PVT LTD', true],
    ['Acme  Wealth', ' acme wealth ', true],
    ['A & B', 'A&B', true],
    ['Ａｃｍｅ', 'Acme', true],
    ['एक्मे फ़ंड', 'एक्मे फ़ंड', true],
    ['Acme', 'Acme Wealth', false],
    ['Acme Wealth Services', 'Acme Wealth', false],
    ['Acrne', 'Acme', false],
    // A Cyrillic "а": another letter, which looks alike.
    ['Аcme', 'Acme', false],
    ['', 'Acme', false],
    ['Acme', '!!', false],
    ['??', '!!', false],
    ['!!', '!!', true],
  ])('given %j and the operator %j, then the same: %j', (written, operator, same) => {
    expect(isSamePayee(written, operator)).toBe(same);
  });
});
