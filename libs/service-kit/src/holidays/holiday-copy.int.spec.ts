import { SEEDED_HOLIDAYS, type HolidayYearDto } from '@fundrail/contracts';
import { createTestDatabase, FakeClock, waitFor, type TestDatabase } from '@fundrail/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { Log } from '../logging/log.ts';
import { notesService } from '../testing/notes.service.ts';
import { createHolidayCopies } from './holiday-copies.ts';
import { HolidayCopy } from './holiday-copy.ts';
import { HolidayList } from './holiday-list.ts';

class HolidayCopies1700000000200 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return createHolidayCopies(runner);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

const service = {
  ...notesService,
  migrations: [...notesService.migrations, HolidayCopies1700000000200],
};
const year = (of: number, dates: string[]): HolidayYearDto => ({
  object: 'holiday_year',
  ...{ year: of, dates, source: 'a test' },
  ...{ replaced_at: '2026-12-21T10:00:00.000+05:30', plans_moved: 0 },
});

describe('the copy of the holiday list', () => {
  let test: TestDatabase;
  let database: Database;
  const copies: HolidayCopy[] = [];
  beforeEach(async () => {
    test = await createTestDatabase(service);
    const clock = new FakeClock(new Date('2026-12-21T10:00:00+05:30'));
    database = await openDatabase(service, clock, { url: test.url, poolSize: 4, sandbox: true });
  });
  afterEach(async () => {
    await Promise.all(copies.splice(0).map((copy) => copy.onApplicationShutdown()));
    await database.dataSource.destroy();
    await test.drop();
  });

  /** A replica's copy, and the warnings in its log. */
  const started = async () => {
    const warned: unknown[] = [];
    const log = Log.to('test', 'warn', { write: (line) => void warned.push(JSON.parse(line)) });
    const list = new HolidayList();
    const copy = new HolidayCopy(database, list, log);
    copies.push(copy);
    await copy.onApplicationBootstrap();
    return { copy, list, warned };
  };

  it('starts with the seed, and warns once about a missing year that is near', async () => {
    const { list, warned } = await started();
    expect(list.get(2026)).toEqual(SEEDED_HOLIDAYS.get(2026));
    expect(warned).toMatchObject([{ level: 'warn', year: 2027 }]);
  });

  it('uses a replaced year immediately, and in another replica a moment later', async () => {
    const [one, other] = [await started(), await started()];
    await database.transaction((tx) => one.copy.replace(tx, year(2027, ['2027-01-26'])));
    expect(one.list.get(2027)).toEqual(new Set(['2027-01-26']));
    await waitFor(() => other.list.get(2027)?.has('2027-01-26'), { what: 'the other replica to read it' });
    await database.transaction((tx) => one.copy.replace(tx, year(2027, [])));
    expect((await started()).warned).toEqual([]);
  });
});
