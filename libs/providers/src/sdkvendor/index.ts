export * from './sdkvendor-payments.adapter.ts';
export { ORDER_ALREADY_PAID, reasonOf as sdkvendorReason } from './failure-codes.ts';
export {
  RAZORPAY_EVENT_ID_HEADER,
  RAZORPAY_SIGNATURE_HEADER,
  signCapture,
  signWebhook,
} from './signature.ts';
// The simulator implements the other side of this interface.
export * as sdkvendorWire from './wire.ts';
