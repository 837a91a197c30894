import { defineMachine } from './define-machine.ts';

const sound = {
  name: 'mandate',
  source: 'this spec',
  field: 'state',
  states: ['off', 'on'],
  initial: 'off',
  creation: { emits: [] },
  transitions: { light: { from: ['off'], to: 'on', emits: ['mandate.approved'] } },
} as const;

describe('defineMachine', () => {
  it('returns a sound table unchanged', () => {
    expect(defineMachine(sound)).toBe(sound);
  });

  it('throws on a state that no step reaches', () => {
    const table = { ...sound, states: ['off', 'on', 'broken'] } as const;

    expect(() => defineMachine(table)).toThrow('machine mandate: state "broken" is unreachable');
  });

  it('throws on states that only reach each other', () => {
    const island = { to: 'b', from: ['a'], emits: [] } as const;
    const back = { to: 'a', from: ['b'], emits: [] } as const;
    const table = {
      ...sound,
      states: ['off', 'on', 'a', 'b'],
      transitions: { ...sound.transitions, island, back },
    } as const;

    expect(() => defineMachine(table)).toThrow('state "a" is unreachable; state "b" is unreachable');
  });

  it('counts a state that only another creation reaches', () => {
    const table = {
      ...sound,
      states: ['off', 'on', 'skipped'],
      otherCreations: { create_skipped: { to: 'skipped', emits: [] } },
    } as const;

    expect(defineMachine(table)).toBe(table);
  });

  it('throws on a state that is listed twice', () => {
    const table = { ...sound, states: ['off', 'on', 'on'] } as const;

    expect(() => defineMachine(table)).toThrow('state "on" is listed twice');
  });

  it('throws on a trigger that no state allows', () => {
    const table = {
      ...sound,
      transitions: { ...sound.transitions, dim: { from: [], to: 'on', emits: [] } },
    } as const;

    expect(() => defineMachine(table)).toThrow('trigger "dim" is allowed in no state');
  });

  it('throws on an event of another aggregate', () => {
    const table = {
      ...sound,
      transitions: { light: { from: ['off'], to: 'on', emits: ['payment.success'] } },
    } as const;

    expect(() => defineMachine(table)).toThrow('event "payment.success" is not of mandate');
  });
});

/** Never called: the type check fails when one of these compiles. */
export function mustNotCompile(): void {
  defineMachine({
    ...sound,
    // @ts-expect-error -- a step to a state that is not listed
    transitions: { light: { from: ['off'], to: 'lit', emits: [] } },
  });
  defineMachine({
    ...sound,
    // @ts-expect-error -- a step from a state that is not listed
    transitions: { light: { from: ['dark'], to: 'on', emits: [] } },
  });
  // @ts-expect-error -- an initial state that is not listed
  defineMachine({ ...sound, initial: 'dark' });
  // @ts-expect-error -- an event that is not in the catalogue
  defineMachine({ ...sound, creation: { emits: ['mandate.unknown'] } });
}
