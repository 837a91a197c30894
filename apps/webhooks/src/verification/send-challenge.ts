import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { WebhookSender } from '../delivery/webhook-sender.ts';
import { signingSecrets } from '../notification-webhook/notification-webhook.ts';
import type { Challenge } from './start-challenge.ts';
import { RecordChallenge } from './record-challenge.ts';
import { CHALLENGE_BYTES, challengeBody, challengeFault, challengeText } from './verification.ts';

/**
 * Sends one challenge and records its outcome. Its text is created here and not stored, so only this process can check the answer. The
 * outcome counts only while the endpoint's row has this challenge's id.
 */
@Injectable()
export class SendChallenge {
  constructor(
    private readonly sender: WebhookSender,
    private readonly record: RecordChallenge,
  ) {}

  /** Rejects when `stop` aborts, or when the outcome could not be recorded. */
  async execute({ id, webhook, now }: Challenge, stop: AbortSignal): Promise<void> {
    const challenge = challengeText(randomBytes(CHALLENGE_BYTES));
    const post = {
      url: webhook.url,
      id,
      body: challengeBody(webhook, { id, challenge, now }),
      secrets_encrypted: signingSecrets(webhook, now),
      compatibility: webhook.compatibility,
      traceparent: null,
      queued_ms: 0,
    };
    const answer = await this.sender.send(post, stop);
    const fault = challengeFault(challenge, answer);
    await this.record.execute(webhook, { id, fault, retryAfterMs: answer.retry_after_ms });
  }
}
