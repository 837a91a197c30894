import fc from 'fast-check';

/** What a command does to the model and to the services under test. */
type Act<Model, Stage> = (model: Model, stage: Stage) => Promise<void>;
/** A function of some arguments that makes such an act. Its name and its arguments are shown in reports. */
type Makes<Model, Stage, Args extends unknown[]> = (...args: Args) => Act<Model, Stage>;

/** The commands of a model test: each one acts, and then `afterEach` waits until all work is done, and checks every rule. */
export class ModelCommands<Model extends object, Stage> {
  constructor(private readonly afterEach: Act<Model, Stage>) {}

  /** A command. `hasReason` says whether it has something to do. */
  one(
    name: string,
    act: Act<Model, Stage>,
    hasReason: (model: Readonly<Model>) => boolean = () => true,
  ): fc.AsyncCommand<Model, Stage> {
    return {
      check: hasReason,
      run: async (model, stage) => {
        await act(model, stage);
        await this.afterEach(model, stage);
      },
      toString: () => name,
    };
  }

  /** The commands with these choices of arguments. */
  of<Args extends unknown[]>(
    makes: Makes<Model, Stage, Args>,
    choices: { readonly [At in keyof Args]: fc.Arbitrary<Args[At]> },
    hasReason?: (model: Readonly<Model>) => boolean,
  ): fc.Arbitrary<fc.AsyncCommand<Model, Stage>> {
    return fc.tuple<Args>(...choices).map((args) => this.one(nameOf(makes, args), makes(...args), hasReason));
  }
}

/** As in the code: `pay(1, "0")`. */
export function nameOf(makes: { readonly name: string }, args: readonly unknown[]): string {
  return `${makes.name}(${args.map((arg) => fc.stringify(arg)).join(', ')})`;
}
