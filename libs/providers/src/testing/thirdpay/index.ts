export * from './thirdpay.adapter.ts';
