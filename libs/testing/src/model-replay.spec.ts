import fc from 'fast-check';
import { replayOf, runOf, type RunVariables } from './model-replay.ts';

interface Counter {
  count: number;
}
/** Counts, and fails at three. */
class Up implements fc.AsyncCommand<Counter, Counter> {
  check = () => true;
  run(model: Counter): Promise<void> {
    model.count += 1;
    return model.count === 3 ? Promise.reject(new Error('it is three')) : Promise.resolve();
  }
  toString = () => 'up';
}
class Nothing implements fc.AsyncCommand<Counter, Counter> {
  check = () => true;
  run = () => Promise.resolve();
  toString = () => 'nothing';
}
const COMMANDS = [fc.constant(new Up()), fc.constant(new Nothing()), fc.constant(new Nothing())];

/** A run as the model test runs it, and how many sequences it played. */
async function played(env: RunVariables) {
  const { replayPath, ...run } = runOf({ MODEL_RUNS: '200', ...env });
  const commands = fc.commands(COMMANDS, { maxCommands: 20, ...(replayPath ? { replayPath } : {}) });
  let sequences = 0;
  const property = fc.asyncProperty(commands, async (sequence) => {
    sequences += 1;
    await fc.asyncModelRun(() => ({ model: { count: 0 }, real: { count: 0 } }), sequence);
  });
  return {
    result: await fc.check(property, { ...run, endOnFailure: env['MODEL_SEED'] !== undefined }),
    sequences: () => sequences,
  };
}

describe('the line that a failed model test prints', () => {
  it('given a broken property, when its command is run, then the first sequence is the one that failed', async () => {
    const { result } = await played({});
    expect(result.failed).toBe(true);
    const printed = replayOf(result, 'apps/plans/src/model');
    expect(printed).toContain('it is three');
    const [, command = ''] = /^Again: (.*)$/m.exec(printed) ?? [];
    expect(command).toMatch(/ npm run jest -- apps\/plans\/src\/model$/);
    const variables = [...command.matchAll(/(MODEL_\w+)=(?:'([^']*)'|(\S*))/g)];
    const env = Object.fromEntries(variables.map(([, name = '', quoted, bare]) => [name, quoted ?? bare]));
    expect(Object.keys(env)).toEqual(['MODEL_SEED', 'MODEL_PATH', 'MODEL_REPLAY']);
    const again = await played(env);
    expect(again.result.failed).toBe(true);
    expect(again.sequences()).toBe(1);
    const calls = (shown: unknown) => fc.stringify(shown).replace(/ \/\*.*/, '');
    expect(calls(again.result.counterexample?.[0])).toBe(calls(result.counterexample?.[0]));
  });

  it('given only their number, then the sequences have no seed; given nothing, then none are played', () => {
    expect(runOf({ MODEL_RUNS: '12' })).toEqual({ numRuns: 12 });
    expect(() => runOf({})).toThrow('MODEL_RUNS');
  });
});
