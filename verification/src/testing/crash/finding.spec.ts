import { differences } from './finding.ts';

const KINDS = { onlyHere: 'lost', onlyThere: 'unfinished' } as const;

describe('the differences between two sides', () => {
  it('are none when both have the same facts, in any order', () => {
    expect(differences('x', ['a', 'b'], ['b', 'a'], KINDS)).toEqual([]);
  });

  it('are the facts of one side only, with the kind that the caller gives', () => {
    expect(differences('x', ['a', 'b'], ['b', 'c'], KINDS)).toEqual([
      { kind: 'lost', what: 'x a is on our side only' },
      { kind: 'unfinished', what: 'x c is on the other side only' },
    ]);
  });

  it('are the facts that our side has twice', () => {
    expect(differences('x', ['a', 'a'], ['a'], KINDS)).toEqual([
      { kind: 'doubled', what: 'x a is there twice' },
    ]);
  });

  it('are the facts that the other side has twice', () => {
    expect(differences('x', ['a'], ['a', 'a'], KINDS)).toEqual([
      { kind: 'doubled', what: 'x a is on the other side twice' },
    ]);
  });
});
