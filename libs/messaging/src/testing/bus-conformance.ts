import { onceInEffect, ordering } from './bus-delivery.cases.ts';
import { outages, stopping } from './bus-outage.cases.ts';
import { parking, parkingByGroup, replaying } from './bus-parking.cases.ts';
import { Play, type CreateBus } from './bus-play.ts';

export type { CreateBus } from './bus-play.ts';

/**
 * What every bus must do, together with `EventStrategy` on it (MSG-3). Needs the PostgreSQL of the project
 * `int`. Aggregates and groups are new in each test, so topics may be shared and kept between them.
 */
export function busConformance(describeName: string, createBus: CreateBus): void {
  describe(describeName, () => {
    const play = new Play(createBus);
    beforeAll(() => play.open());
    afterEach(() => play.clear());
    afterAll(() => play.close());

    ordering(play);
    onceInEffect(play);
    parking(play);
    parkingByGroup(play);
    replaying(play);
    outages(play);
    stopping(play);
  });
}
