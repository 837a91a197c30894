import { signCallback, SIGNATURE_HEADER } from '@fundrail/providers';
import {
  RAZORPAY_EVENT_ID_HEADER,
  RAZORPAY_SIGNATURE_HEADER,
  signWebhook,
} from '@fundrail/providers/sdkvendor';
import type { SimulatorConfig } from '../config.ts';
import type { CallbackRow } from './callback.ts';

/** The path and the signed headers of a callback, as each provider sends it. `now` is wall time. */
export function postOf(
  { topic, body, event_id }: CallbackRow,
  config: SimulatorConfig,
  now: Date,
): { readonly path: string; readonly headers: Readonly<Record<string, string>> } {
  if (topic !== 'sdkvendor') {
    const headers = { [SIGNATURE_HEADER]: signCallback(config.webhookSecret, body, now) };
    return { path: `/callbacks/gatewaypoa/${topic}`, headers };
  }
  const signature = signWebhook(config.sdkvendor.webhookSecret, body);
  return {
    path: '/callbacks/sdkvendor',
    headers: { [RAZORPAY_SIGNATURE_HEADER]: signature, [RAZORPAY_EVENT_ID_HEADER]: event_id },
  };
}
