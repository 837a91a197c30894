import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds endpoints by the due time of their challenge, without reading other endpoints. */
export class DueChallenges1900000000011 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'notification_webhooks_challenge_due_at',
      on: 'notification_webhooks (challenge_due_at) WHERE challenge_due_at IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(runner, 'notification_webhooks_challenge_due_at');
  }
}
