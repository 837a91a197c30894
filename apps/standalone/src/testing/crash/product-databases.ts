import type { ServiceName } from '@fundrail/contracts';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';

/** The services of the sandbox. */
const NAMES = [
  'identity',
  'orders',
  'payments',
  'webhooks',
  'simulator',
] as const satisfies readonly ServiceName[];
export type ProductService = (typeof NAMES)[number];

/** Leases of a process that is dead: waiting until they end and ending them here is the same to whoever comes next. */
const END_LEASES =
  'UPDATE due_work SET leased_until = clock_timestamp() WHERE leased_until > clock_timestamp()';
const END_HOLDS = 'UPDATE idempotency_keys SET held_until = clock_timestamp() WHERE status IS NULL';
const END_DELIVERY_LEASES =
  'UPDATE webhook_deliveries SET leased_until = clock_timestamp() WHERE leased_until > clock_timestamp()';

/** One product's databases, for a process that uses them and a test that looks into them. */
export class ProductDatabases {
  private constructor(
    private readonly databases: ReadonlyMap<ProductService, TestDatabase>,
    private readonly pools: ReadonlyMap<ProductService, pg.Pool>,
  ) {}

  static async create(): Promise<ProductDatabases> {
    const databases = new Map<ProductService, TestDatabase>();
    for (const name of NAMES) databases.set(name, await createTestDatabase());
    const pools = [...databases].map(([name, { url }]) => [name, poolOf(url)] as const);
    return new ProductDatabases(databases, new Map(pools));
  }

  /** The variables that tell the product of them. */
  get env(): Record<string, string> {
    const own = [...this.databases].map(([name, { url }]) => [`${name.toUpperCase()}_DATABASE_URL`, url]);
    return { DATABASE_URL: process.env['DATABASE_URL'], ...Object.fromEntries(own) } as Record<
      string,
      string
    >;
  }

  async rows<T>(service: ProductService, text: string, values: unknown[] = []): Promise<T[]> {
    const pool = this.pools.get(service);
    if (!pool) throw new Error(`${service} has no database`);
    return (await pool.query(text, values)).rows as T[];
  }

  /** Runs the same query in each of them. */
  async everywhere<T>(text: string): Promise<(T & { readonly service: ProductService })[]> {
    const all = await Promise.all(
      NAMES.map(async (service) => (await this.rows<T>(service, text)).map((row) => ({ ...row, service }))),
    );
    return all.flat();
  }

  /** Lets the time pass after which others may take over what a dead process held. */
  async endLeases(): Promise<void> {
    await this.everywhere(END_LEASES);
    await this.everywhere(END_HOLDS);
    await this.rows('webhooks', END_DELIVERY_LEASES);
  }

  async drop(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.end()));
    await Promise.all([...this.databases.values()].map((database) => database.drop()));
  }
}

/** A connection may still be closing when its database is dropped under it: that is no failure of the test. */
function poolOf(url: string): pg.Pool {
  return new pg.Pool({ connectionString: url, max: 2 }).on('error', () => undefined);
}
