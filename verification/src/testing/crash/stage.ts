import { WebhookReceiver } from '@fundrail/testing';
import { audit } from './audit.ts';
import { Buyer } from './buyer.ts';
import type { Finding } from './finding.ts';
import { KillableProduct } from './killable-product.ts';
import type { Reachable } from './patient-client.ts';
import { ProductDatabases } from './product-databases.ts';
import { untilQuiet } from './quiet.ts';

/** The tenant's clients may pay through the provider's SDK; set before any service has read the settings. */
const WITH_SDK = `UPDATE tenants SET settings = settings || '{"sdk_options_enabled": true}' WHERE name = 'demo'`;

/** A product that may be killed, its databases, and an endpoint that receives all its events. */
export class CrashStage {
  readonly buyers: Buyer[] = [];

  private constructor(
    readonly databases: ProductDatabases,
    readonly product: KillableProduct,
    readonly receiver: WebhookReceiver,
  ) {}

  static async open(): Promise<CrashStage> {
    const databases = await ProductDatabases.onTestServer();
    const stage = new CrashStage(databases, new KillableProduct(databases), await WebhookReceiver.start());
    await stage.product.start();
    await stage.databases.rows('identity', WITH_SDK);
    await stage.newBuyer().subscribe(stage.receiver);
    return stage;
  }

  newBuyer(product: Reachable = this.product, patienceMs?: number): Buyer {
    const buyer = new Buyer(product, patienceMs);
    this.buyers.push(buyer);
    return buyer;
  }

  /** Everything that is wrong once all work has ended. */
  async findings(): Promise<Finding[]> {
    await untilQuiet(this.databases);
    return audit(this.databases, this.buyers, this.receiver);
  }

  async close(): Promise<void> {
    await this.product.stop();
    await this.receiver.stop();
    await this.databases.drop();
  }
}
