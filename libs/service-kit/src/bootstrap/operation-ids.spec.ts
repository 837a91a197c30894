import { operationId } from './operation-ids.ts';

// OPS-11
describe('the name of an operation by its path', () => {
  it.each([
    ['get', '/v2/mf_purchases', 'listMfPurchases'],
    ['get', '/v2/mf_purchases/{id}', 'getMfPurchase'],
    ['post', '/v2/mf_purchases', 'createMfPurchase'],
    ['post', '/v2/mf_purchases/batch', 'createMfPurchases'],
    ['patch', '/v2/mf_purchases', 'updateMfPurchase'],
    ['patch', '/v2/mf_purchases/{id}', 'updateMfPurchaseById'],
    ['patch', '/v2/mf_purchases/batch', 'updateMfPurchases'],
    ['post', '/v2/mf_purchases/{id}/cancel', 'cancelMfPurchase'],
    ['put', '/v2/notification_webhooks/{id}', 'updateNotificationWebhook'],
    ['delete', '/v2/notification_webhooks/{id}', 'deleteNotificationWebhook'],
    ['post', '/v2/notification_webhooks/{id}/rotate_secret', 'rotateNotificationWebhookSecret'],
    ['get', '/v2/notification_webhooks/{id}/deliveries', 'listNotificationWebhookDeliveries'],
    ['get', '/v2/notification_webhooks/{id}/replays/{replay}', 'getNotificationWebhookReplay'],
    ['post', '/api/pg/payments/{id}/refunds', 'createPaymentRefund'],
    ['get', '/admin/payments/{id}/trace', 'getPaymentTrace'],
    ['get', '/v2/addresses/{id}', 'getAddress'],
    ['post', '/callbacks/gatewaypoa/orders', 'receiveGatewaypoaOrderCallback'],
  ] as const)('%s %s is %s', (method, path, name) => {
    expect(operationId(method, path)).toBe(name);
  });
});
