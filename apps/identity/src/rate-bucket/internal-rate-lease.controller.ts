import { leasedRates, leaseRates, type LeasedRates, type LeaseRates as Asked } from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { LeaseRates } from './lease-rates.ts';

/** Leases for the rate limits that every service enforces on its tenants. */
@Controller('internal/rate_leases')
@Internal()
export class InternalRateLeaseController {
  constructor(private readonly leaseRates: LeaseRates) {}

  @Post()
  @ApiResponse({ status: 200, description: 'The granted leases.', standardSchema: leasedRates })
  async lease(@Body({ schema: leaseRates }) { asks }: Asked): Promise<LeasedRates> {
    return { leases: await this.leaseRates.execute(asks) };
  }
}
