import { ERRORS, type ErrorCode } from '@fundrail/contracts';
import type { OpenAPIObject } from '@nestjs/swagger';

/** Codes that any operation may give whose responses have their status. */
const GENERAL: readonly ErrorCode[] = [
  ...(['BAD_REQUEST_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const),
  ...(['IDEMPOTENCY_KEY_IN_USE', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const),
  ...(['IDEMPOTENCY_KEY_REUSED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const),
];
/** Those that need an `Idempotency-Key` in the request. */
const OF_KEYS: readonly ErrorCode[] = ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'];

const STEP = ['ILLEGAL_TRANSITION'] as const;
const CONSENT = [...STEP, 'CONSENT_ALREADY_SET', 'CONSENT_MISSING', 'TWO_FACTOR_MISSING'] as const;
const OF_ORDER = [...CONSENT, 'ORDER_NOT_PENDING'] as const;
const OF_PURCHASE = [...OF_ORDER, 'PAYMENT_MISSING'] as const;
const OF_MANDATE = ['MANDATE_NOT_APPROVED', 'MANDATE_LIMIT_EXCEEDED'] as const;
const CLAIM = ['ORDER_NOT_PENDING', 'CONSENT_MISSING', 'PAYMENT_ALREADY_EXISTS'] as const;

/** What each operation may give besides (ERR-6, ERR-7), by its name. */
const OWN: Readonly<Record<string, readonly ErrorCode[]>> = {
  updateInvestorProfile: STEP,
  updateInvestorProfileById: STEP,
  updateMfInvestmentAccount: STEP,
  updateMfInvestmentAccountById: STEP,
  updateMfPurchase: OF_PURCHASE,
  updateMfPurchaseById: OF_PURCHASE,
  updateMfPurchases: OF_PURCHASE,
  cancelMfPurchase: [...STEP, 'PAYMENT_ALREADY_EXISTS'],
  retryMfPurchase: STEP,
  createMfRedemption: STEP,
  updateMfRedemption: OF_ORDER,
  updateMfRedemptionById: OF_ORDER,
  updateMfRedemptions: OF_ORDER,
  cancelMfRedemption: [...STEP, 'PAYMENT_ALREADY_EXISTS'],
  createPayment: [
    ...CLAIM,
    ...([
      'PROVIDER_REFUSED',
      'UPI_LIMIT_EXCEEDED',
      'UPI_DAILY_LIMIT_EXCEEDED',
      'UPI_COLLECT_DISABLED',
    ] as const),
  ],
  askPayment: STEP,
  cancelPayment: STEP,
  createPaymentRefund: STEP,
  createMandate: ['MANDATE_LIMIT_EXCEEDED', 'PROVIDER_REFUSED'],
  authoriseMandate: [...STEP, 'AUTH_IN_PROGRESS', 'PROVIDER_REFUSED', 'UPI_COLLECT_DISABLED'],
  debitMandate: [...CLAIM, ...OF_MANDATE],
  cancelMandate: STEP,
  createMfRedemptionPlan: [...OF_MANDATE, 'MANDATE_FOR_SUBSCRIPTIONS_ONLY', 'TWO_FACTOR_MISSING'],
  updateMfRedemptionPlan: CONSENT,
  updateMfRedemptionPlanById: CONSENT,
  cancelMfRedemptionPlan: STEP,
  createMfRedemptionPlanSkipInstruction: STEP,
  cancelMfRedemptionPlanSkipInstruction: STEP,
  createMfPurchasePlan: [...OF_MANDATE, 'TWO_FACTOR_MISSING'],
  createMfPurchasePlans: [...OF_MANDATE, 'TWO_FACTOR_MISSING'],
  updateMfPurchasePlan: [...CONSENT, ...OF_MANDATE],
  updateMfPurchasePlanById: [...CONSENT, ...OF_MANDATE],
  updateMfPurchasePlans: [...CONSENT, ...OF_MANDATE],
  cancelMfPurchasePlan: STEP,
  cancelMfPurchasePlanByBody: STEP,
  pauseMfPurchasePlan: STEP,
  resumeMfPurchasePlan: STEP,
  createMfPurchasePlanSkipInstruction: STEP,
  cancelMfPurchasePlanSkipInstruction: STEP,
  createNotificationWebhook: ['ENDPOINT_LIMIT_EXCEEDED'],
  rotateNotificationWebhookSecret: STEP,
  testNotificationWebhook: STEP,
  verifyNotificationWebhook: STEP,
  retryWebhookDelivery: STEP,
  replayNotificationWebhook: STEP,
  cancelNotificationWebhookReplay: STEP,
  simulatePayment: STEP,
  simulateMandate: STEP,
  simulateOrder: STEP,
};

/** An operation that an investor's browser uses, and the token endpoint, have refusals of their own: pages, and `TokenError`. */
const OTHER_REFUSALS = new Set(['issueToken', 'showCheckoutPage', 'submitCheckoutPage', 'capturePayment']);

/** Lists the codes of each operation as `x-error-codes`, in the order of docs/errors.md. */
export function addErrorCodes(document: OpenAPIObject): void {
  for (const item of Object.values(document.paths))
    for (const method of ['get', 'post', 'patch', 'put', 'delete'] as const) {
      const operation = item[method];
      const name = operation?.operationId ?? '';
      if (!operation || OTHER_REFUSALS.has(name)) continue;
      const own = OWN[name] ?? [];
      const hasKey = operation.parameters?.some((one) => 'name' in one && one.name === 'Idempotency-Key');
      const isGiven = (code: ErrorCode) =>
        own.includes(code) ||
        (GENERAL.includes(code) &&
          ERRORS[code].status in operation.responses &&
          (hasKey === true || !OF_KEYS.includes(code)));
      const codes = (Object.keys(ERRORS) as ErrorCode[]).filter(isGiven);
      Object.assign(operation, { 'x-error-codes': codes });
    }
}
