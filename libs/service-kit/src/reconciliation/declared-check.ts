import type { FactoryProvider } from '@nestjs/common';
import { ReconciliationCheck, type Allowed, type Finding } from './reconciliation-check.ts';

/** What each declaration of a check has. */
export interface Declared {
  readonly name: string;
  /** As `ReconciliationCheck.repair`; left out where only an operator can. */
  readonly repair?: (finding: Finding, allowed: Allowed) => Promise<boolean>;
}

/** A check that carries out its declaration. */
export abstract class DeclaredCheck<Declaration extends Declared> extends ReconciliationCheck {
  readonly name: string;

  constructor(protected readonly declared: Declaration) {
    super();
    this.name = declared.name;
  }

  override async repair(finding: Finding, allowed: Allowed = { acceptLostMoney: false }): Promise<boolean> {
    return (await this.declared.repair?.(finding, allowed)) ?? false;
  }
}

/** A class of what is injected, or a token of it. */
type Injected<Part> = symbol | (abstract new (...args: never[]) => Part);

/** Provides the check that is declared with these parts of the service. */
export function checkOf<Declaration, Parts extends readonly unknown[] | []>(
  Check: new (declaration: Declaration) => ReconciliationCheck,
  inject: readonly [...{ [At in keyof Parts]: Injected<Parts[At]> }],
  declare: (...parts: Parts) => Declaration,
): FactoryProvider<ReconciliationCheck> {
  return {
    provide: declare,
    inject: [...inject],
    useFactory: (...parts: Parts) => new Check(declare(...parts)),
  };
}
