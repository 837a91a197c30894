import { sql } from '@fundrail/persistence';
import { waitFor } from '@fundrail/testing';
import { WebhooksStage, type Answered } from './webhooks-stage.ts';

const deletion = sql('test.forget_challenges', 'DELETE FROM endpoint_challenges');
const lateChallenges = sql(
  'test.late_challenges',
  `UPDATE notification_webhooks SET challenge_until = now() - interval '1 minute' WHERE challenge IS NOT NULL`,
);
const underWay = sql('test.under_way', 'SELECT challenge FROM notification_webhooks WHERE id = $1');
const rows = sql(
  'test.rows',
  'SELECT w::text AS row FROM notification_webhooks w UNION ALL SELECT c::text FROM endpoint_challenges c',
);

/** Webhooks with tenants whose setting `verify_endpoints` the test controls. */
export class VerificationStage {
  private constructor(readonly webhooks: WebhooksStage) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<VerificationStage> {
    return new VerificationStage(await WebhooksStage.start(env));
  }

  verifies(tenant: string, isOn: boolean): void {
    if (isOn) this.webhooks.issuer.verifying.add(tenant);
    else this.webhooks.issuer.verifying.delete(tenant);
  }

  path({ id }: { id: string }): string {
    return `/v2/notification_webhooks/${id}`;
  }

  async shown(endpoint: { id: string }, tenant: string): Promise<Answered['body']> {
    return (await this.webhooks.send({ url: this.path(endpoint), tenant })).body;
  }

  verify(endpoint: { id: string }, tenant: string): Promise<Answered> {
    return this.webhooks.send({ method: 'POST', url: `${this.path(endpoint)}/verify`, tenant });
  }

  /** Waits until the endpoint has that verification. */
  async until(endpoint: { id: string }, tenant: string, verification: string, error?: RegExp): Promise<void> {
    const isSo = async () => {
      const body = await this.shown(endpoint, tenant);
      const says = error === undefined || error.test(String(body['verification_error']));
      return body['verification'] === verification && says;
    };
    await waitFor(isSo, { what: `an endpoint that is ${verification}` });
  }

  /** Waits until no challenge of the endpoint is in progress. */
  async untilRecorded({ id }: { id: string }): Promise<void> {
    const isRecorded = async () => {
      const [row] = await this.webhooks.service.database.query<{ challenge: string | null }>(underWay, [id]);
      return row?.challenge === null;
    };
    await waitFor(isRecorded, { what: 'the record of a challenge' });
  }

  /** As if a minute had passed: no challenge is counted any more. */
  async deleteChallenges(): Promise<void> {
    await this.webhooks.service.database.query(deletion);
  }

  /** As if the process that sent them had died and the challenges had expired. */
  async endChallenges(): Promise<void> {
    await this.webhooks.service.database.query(lateChallenges);
  }

  /** All stored data of endpoints and their challenges. */
  async rows(): Promise<string> {
    const kept = await this.webhooks.service.database.query<{ row: string }>(rows);
    return kept.map(({ row }) => row).join('\n');
  }

  end(): Promise<void> {
    return this.webhooks.end();
  }
}
