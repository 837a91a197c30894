import { Clock } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { RotateSigningKeys } from './rotate-signing-keys.ts';

// A key is due 15 minutes before its use: looking once a minute is early enough and costs nothing.
const LOOK_EVERY_MS = 60_000;

/**
 * Rotates the signing keys. Their rows say when the next is due, by the wall clock (contract §10 "Which clock"): moving the
 * sandbox's clock neither rotates a key nor waits for one.
 */
@Injectable()
export class KeyRotationLane extends DueLane {
  readonly name = 'signing-keys';
  override readonly isStep = false;
  private nextLook = 0;

  constructor(
    private readonly clock: Clock,
    private readonly rotate: RotateSigningKeys,
  ) {
    super();
  }

  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  async run(): Promise<number> {
    const now = this.clock.now().getTime();
    if (now < this.nextLook) return 0;
    await this.rotate.execute();
    this.nextLook = now + LOOK_EVERY_MS;
    return 0;
  }
}
