import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IdentityConfig } from '../config.ts';
import { RotateSigningKeys } from '../signing-key/rotate-signing-keys.ts';
import { EnsureOperator } from './ensure-operator.ts';
import { SeedSandbox } from './seed-sandbox.ts';

/** Creates what the first request needs: a signing key and the first clients. */
@Injectable()
export class FirstClients implements OnApplicationBootstrap {
  constructor(
    private readonly config: IdentityConfig,
    private readonly seed: SeedSandbox,
    private readonly operator: EnsureOperator,
    private readonly rotate: RotateSigningKeys,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.rotate.execute();
    if (this.config.sandbox) await this.seed.execute();
    if (this.config.operator) await this.operator.execute(this.config.operator);
  }
}
