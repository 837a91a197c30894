import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, BuyerApp } from './buyer-app.ts';

/** Wall milliseconds. Other pods can resolve a pod's name some seconds after its start, and a failed lookup is cached for 30 s. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 2_000;

/**
 * Registers the URL for all events of orders, payments, mandates and plans. Retries while its host does not resolve. Returns the webhook.
 */
export async function registerEndpoint(
  app: Pick<BuyerApp, 'post'>,
  url: string,
  { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS } = {},
): Promise<Answer> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await app.post('/v2/notification_webhooks', {
        url,
        events: [
          'mf_purchase.*',
          'mf_redemption.*',
          'mf_purchase_plan.*',
          'mf_redemption_plan.*',
          'payment.*',
          'mandate.*',
        ],
      });
    } catch (error) {
      if (!String(error).includes('its host does not resolve') || performance.now() > end) throw error;
      await pause(pauseMs);
    }
  }
}
