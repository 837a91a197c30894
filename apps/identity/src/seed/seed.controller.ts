import { found, seedFacts, type SeedFacts } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Controller, Get } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { findSeed } from './seed.repository.ts';

/** The seeded ids that `GET /sandbox/seed` (simulator) and the first page show to a newcomer. */
@Controller('internal/seed')
@Internal()
export class SeedController {
  constructor(private readonly database: Database) {}

  @Get()
  @ApiResponse({ status: 200, description: 'The seeded ids.', standardSchema: seedFacts })
  async get(): Promise<SeedFacts> {
    return found(await findSeed(this.database));
  }
}
