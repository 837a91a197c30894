import { inspect } from 'node:util';
import { Masked } from './masked.ts';

const pan = new Masked('ABCPR1234K');

describe('Masked (DATA-5)', () => {
  it.each([
    ['a template', `pan: ${pan.toString()}`],
    ['JSON', JSON.stringify({ pan })],
    ['an inspected object', inspect({ pan }, { showHidden: true, depth: 5 })],
    ['a concatenation', String(pan)],
  ])('does not show in %s', (_where, text) => {
    expect(text).toContain('***');
    expect(text).not.toContain('ABCPR1234K');
  });

  it('has no property that a serialiser could walk', () => {
    expect(Object.getOwnPropertyNames(pan)).toEqual([]);
  });

  it('is revealed on request', () => {
    expect(pan.reveal()).toBe('ABCPR1234K');
  });
});
