import { Decimal } from '@fundrail/contracts';
import { newPayment, paymentProviderConformance, type PaymentStage } from '../index.ts';
import { ThirdpayPayments } from './index.ts';
import { ThirdpayBooks } from './thirdpay-books.ts';
import { ThirdpayServer } from './thirdpay-server.ts';

/** Long enough for an answer on a machine that has other things to do. */
const TIMEOUT_MS = 1_500;
const SECRET = 'thirdpay-secret';

/** The result of docs/adding-a-provider.md: the folder, its stage, and the one line below that runs the suite on it. */
async function start(): Promise<PaymentStage> {
  const books = new ThirdpayBooks(SECRET);
  const server = await ThirdpayServer.start(books, { late: 2 * TIMEOUT_MS, slow: TIMEOUT_MS / 4 });
  const payments = new ThirdpayPayments({ baseUrl: server.url, secret: SECRET, timeoutMs: TIMEOUT_MS });
  return {
    payments,
    payers: {
      pays: 'pays@third',
      declines: 'declines@third',
      waits: 'waits@third',
      unknown: 'unknown@third',
    },
    voids: true,
    refusedPayment: () => Promise.resolve(newPayment({ amount: Decimal.parse('0.99') })),
    disturb: async (call, how) => {
      await Promise.resolve();
      server.disturb(call, how);
    },
    disturbCallback: async (_, how) => {
      await Promise.resolve();
      books.next = how;
    },
    pay: async (id) => {
      await Promise.resolve();
      books.end(id, 'paid');
    },
    payAgain: async (id) => {
      await Promise.resolve();
      books.again(id);
    },
    payAsThirdParty: async (id) => {
      await Promise.resolve();
      books.end(id, 'refused', 'not_the_payers_account');
    },
    decline: async (id, code) => {
      await Promise.resolve();
      books.end(id, 'refused', code === 'insufficient_funds' ? 'too_little_money' : code);
    },
    callbacks: (reference) =>
      Promise.resolve(books.sent.filter((callback) => callback.reference === reference)),
    end: async () => {
      await payments.close();
      await server.stop();
    },
  };
}

paymentProviderConformance('thirdpay', start);
