import { paymentProviderConformance } from '../index.ts';
import type { PaymentStage } from '../index.ts';
import { ThirdpayPayments } from './index.ts';
import { ThirdpayBooks } from './thirdpay-books.ts';
import { ThirdpayServer } from './thirdpay-server.ts';

const TIMEOUT_MS = 200;
const SECRET = 'thirdpay-secret';

/** docs/adding-a-provider.md, done: the folder, its stage, and the one line below that runs the suite over it. */
async function start(): Promise<PaymentStage> {
  const books = new ThirdpayBooks(SECRET);
  const server = await ThirdpayServer.start(books, { late: 2 * TIMEOUT_MS, slow: TIMEOUT_MS / 4 });
  const payments = new ThirdpayPayments({ baseUrl: server.url, secret: SECRET, timeoutMs: TIMEOUT_MS });
  return {
    payments,
    payers: { pays: 'pays@third', declines: 'declines@third', waits: 'waits@third', nobody: 'nobody@third' },
    voids: true,
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
