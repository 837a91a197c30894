import { WebhookReceiver } from '@fundrail/testing';
import { ok } from '../purchase.ts';
import { audit } from './audit.ts';
import { Buyer } from './buyer.ts';
import type { Finding } from './finding.ts';
import { MortalProduct } from './mortal-product.ts';
import type { Reachable } from './patient-client.ts';
import { ProductDatabases } from './product-databases.ts';
import { untilQuiet } from './quiet.ts';

/** The tenant's clients may pay through the provider's SDK; read before anybody has asked for the settings. */
const WITH_SDK = `UPDATE tenants SET settings = settings || '{"sdk_options_enabled": true}' WHERE name = 'demo'`;

/** A product that may be killed, its databases, and an endpoint that hears every event of it. */
export class CrashStage {
  readonly buyers: Buyer[] = [];

  private constructor(
    readonly databases: ProductDatabases,
    readonly product: MortalProduct,
    readonly receiver: WebhookReceiver,
  ) {}

  static async open(): Promise<CrashStage> {
    const databases = ProductDatabases.onTestServer();
    const stage = new CrashStage(databases, new MortalProduct(databases), await WebhookReceiver.start());
    await stage.product.start();
    await stage.databases.rows('identity', WITH_SDK);
    const { client } = stage.newBuyer();
    const { body } = ok(
      await client.post('/v2/notification_webhooks', { url: stage.receiver.url, event: '*' }),
    );
    stage.receiver.secret = String(body['secret']);
    return stage;
  }

  newBuyer(product: Reachable = this.product, patienceMs?: number): Buyer {
    const buyer = new Buyer(product, patienceMs);
    this.buyers.push(buyer);
    return buyer;
  }

  /** Everything that is wrong after all has come to rest. */
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
