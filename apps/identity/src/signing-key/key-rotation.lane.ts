import { Clock } from '@fundrail/service-kit/db';
import { HousekeepingLane, type Look } from '@fundrail/service-kit/housekeeping';
import { Injectable } from '@nestjs/common';
import { RotateSigningKeys } from './rotate-signing-keys.ts';

/**
 * Rotates the signing keys. Their rows determine when the next is due, by the wall clock (CONV-32), so the sandbox's clock has no
 * effect on the rotation.
 */
@Injectable()
export class KeyRotationLane extends HousekeepingLane {
  readonly name = 'signing-keys';
  // A key is due 15 minutes before its use, so a check once a minute is early enough and costs nothing.
  protected readonly pace = { everyMs: 60_000 };

  constructor(
    clock: Clock,
    private readonly rotate: RotateSigningKeys,
  ) {
    super(clock);
  }

  protected async look(): Promise<Look> {
    await this.rotate.execute();
    return 'done';
  }
}
