import { ApiError } from '@fundrail/contracts';
import { Injectable, type CanActivate } from '@nestjs/common';
import { PlansConfig } from '../config.ts';

/** Purchase plans are not there until every replica knows them: one of the release before would generate redemptions (SIP-1). */
@Injectable()
export class PurchasePlansGuard implements CanActivate {
  constructor(private readonly config: PlansConfig) {}

  canActivate(): boolean {
    if (!this.config.purchasePlans) throw new ApiError('NOT_FOUND');
    return true;
  }
}
