export * from './thirdpay.provider.ts';
export * from './thirdpay-server.ts';
