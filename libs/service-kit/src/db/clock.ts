import { Injectable } from '@nestjs/common';

/** The wall clock. `FakeClock` of libs/testing extends it. Business time is `Database.now()`: this time plus the sandbox's offset. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
