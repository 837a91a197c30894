import type { Queryable } from '@fundrail/persistence';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { webhooksService } from '../index.ts';
import { insertDueEndpoint } from '../testing/due-endpoint.ts';
import { queryableOf } from '../testing/queryable-of.ts';
import { leaseDueDeliveries, type LeaseTerms } from './due-delivery.repository.ts';

const WALL = new Date('2026-11-21T10:00:00Z');

describe('the shares of a lease', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let queryable: Queryable;
  beforeEach(async () => {
    database = await createTestDatabase(webhooksService);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // A lease that waited for another one would wait forever.
    await client.query("SET lock_timeout = '2s'");
    queryable = queryableOf(client);
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const endpoint = (id: string, tenant: string, due: number) =>
    insertDueEndpoint(client, { id, tenant, due, at: WALL });

  async function lease(over: Partial<LeaseTerms> = {}, by = queryable): Promise<Record<string, number>> {
    const until = new Date(WALL.getTime() + 20_000);
    const terms = {
      now: WALL,
      wallNow: WALL,
      token: 't',
      until,
      perEndpoint: 100,
      most: 8,
      rate: 1_000,
      ...over,
    };
    const leased = await leaseDueDeliveries(by, terms);
    const counts: Record<string, number> = {};
    for (const { webhook } of leased) counts[webhook] = (counts[webhook] ?? 0) + 1;
    return counts;
  }

  it('are equal for all tenants, however many endpoints and events each has, until no delivery is left', async () => {
    await endpoint('A1', 'large', 50);
    await endpoint('A2', 'large', 50);
    await endpoint('A3', 'large', 50);
    await endpoint('B1', 'small', 6);
    expect(await lease()).toEqual({ A1: 2, A2: 1, A3: 1, B1: 4 });
    expect(await lease()).toEqual({ A1: 2, A2: 2, A3: 2, B1: 2 });
    expect(await lease()).toEqual({ A1: 2, A2: 3, A3: 3 });
  });

  it('leave no slot unused: those of a dead endpoint and of one at its limit go to others', async () => {
    await endpoint('A1', 'a', 9);
    await endpoint('A2', 'a', 9);
    await client.query(`UPDATE notification_webhooks SET failing_since = now() WHERE id = 'A1'`);
    expect(await lease({ perEndpoint: 4 })).toEqual({ A1: 1, A2: 4 });
    await endpoint('A3', 'a', 9);
    await endpoint('A4', 'a', 9);
    await client.query(
      `UPDATE webhook_deliveries SET lease_token = NULL, leased_until = NULL WHERE webhook = 'A1'`,
    );
    expect(await lease({ perEndpoint: 4 })).toEqual({ A1: 1, A3: 4, A4: 3 });
  });

  it('are one for each tenant when there are more tenants than slots', async () => {
    await endpoint('A1', 'a', 9);
    await endpoint('A2', 'a', 9);
    await endpoint('B1', 'b', 9);
    await endpoint('C1', 'c', 9);
    expect(await lease({ most: 3 })).toEqual({ A1: 1, B1: 1, C1: 1 });
    expect(await lease({ most: 3 })).toEqual({ A2: 1, B1: 1, C1: 1 });
  });

  it('are at most an endpoint’s concurrency: one while it fails, and none while it is paused', async () => {
    await endpoint('A1', 'a', 9);
    await endpoint('B1', 'b', 9);
    await endpoint('C1', 'c', 9);
    await client.query(`UPDATE notification_webhooks SET failing_since = now() WHERE id = 'B1'`);
    await client.query(`UPDATE notification_webhooks SET paused_until = $1 WHERE id = 'C1'`, [
      new Date(WALL.getTime() + 1),
    ]);
    expect(await lease({ perEndpoint: 3, most: 64 })).toEqual({ A1: 3, B1: 1 });
    expect(await lease({ perEndpoint: 3, most: 64 })).toEqual({});
  });

  it('are at most the remaining room of their tenant', async () => {
    await endpoint('A1', 'a', 9);
    await endpoint('A2', 'a', 9);
    await endpoint('B1', 'b', 9);
    await endpoint('C1', 'c', 9);
    const rooms = {
      rooms: new Map([
        ['a', 3],
        ['b', 0],
      ]),
      others: 2,
    };
    expect(await lease({ most: 64, rooms })).toEqual({ A1: 2, A2: 1, C1: 2 });
  });

  it('are given by one replica at a time', async () => {
    // given
    await endpoint('A1', 'a', 9);
    await client.query("INSERT INTO endpoint_paces (webhook, tokens, at) VALUES ('A1', 0, to_timestamp(0))");
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    // when: the other has taken all slots, and not committed
    await other.query('BEGIN');
    const theirs = await lease({ perEndpoint: 3 }, queryableOf(other));
    // then
    expect([theirs, await lease({ perEndpoint: 3 })]).toEqual([{ A1: 3 }, {}]);
    await other.query('COMMIT');
    expect(await lease({ perEndpoint: 3 })).toEqual({});
    expect(await lease({ perEndpoint: 5 })).toEqual({ A1: 2 });
    await other.end();
  });

  it('are at most an endpoint’s rate, of which one second’s worth is saved up', async () => {
    await endpoint('A1', 'a', 100);
    const at = (ms: number) => lease({ rate: 10, most: 64, wallNow: new Date(WALL.getTime() + ms) });
    expect([await at(0), await at(0), await at(500), await at(550)]).toEqual([{ A1: 10 }, {}, { A1: 5 }, {}]);
    expect([await at(10_000), await at(10_000)]).toEqual([{ A1: 10 }, {}]);
  });

  it('are five a second while an endpoint fails', async () => {
    await endpoint('A1', 'a', 100);
    await client.query('UPDATE notification_webhooks SET failing_since = now()');
    const at = async (ms: number) => {
      await client.query('UPDATE webhook_deliveries SET lease_token = NULL, leased_until = NULL');
      return (await lease({ wallNow: new Date(WALL.getTime() + ms) }))['A1'] ?? 0;
    };
    const given: number[] = [];
    for (const ms of [0, 0, 0, 0, 0, 0, 100, 200, 200]) given.push(await at(ms));
    expect(given).toEqual([1, 1, 1, 1, 1, 0, 0, 1, 0]);
  });
});
