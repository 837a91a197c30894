import { differences } from './finding.ts';

const KINDS = { onlyHere: 'lost', onlyThere: 'unfinished' } as const;

describe('the differences between two sides', () => {
  it('are none when both know the same, in any order', () => {
    expect(differences('x', ['a', 'b'], ['b', 'a'], KINDS)).toEqual([]);
  });

  it('are what one side knows alone, of the kind that the caller says', () => {
    expect(differences('x', ['a', 'b'], ['b', 'c'], KINDS)).toEqual([
      { kind: 'lost', what: 'x a is on our side only' },
      { kind: 'unfinished', what: 'x c is on the other side only' },
    ]);
  });

  it('are what is there twice on our side', () => {
    expect(differences('x', ['a', 'a'], ['a'], KINDS)).toEqual([
      { kind: 'doubled', what: 'x a is there twice' },
    ]);
  });

  it('are what is there twice on the other side', () => {
    expect(differences('x', ['a'], ['a', 'a'], KINDS)).toEqual([
      { kind: 'doubled', what: 'x a is on the other side twice' },
    ]);
  });
});
