import { Decimal } from '@fundrail/contracts';
import { TimeOuts } from '@fundrail/testing';
import {
  mandateConformance,
  newPayment,
  paymentProviderConformance,
  type MandateStage,
  type PaymentStage,
} from '../index.ts';
import { ThirdpayServer } from './index.ts';
import { ThirdpayPayments } from './thirdpay.adapter.ts';

/** Long enough for an answer on a machine that has other things to do. */
const TIMEOUT_MS = 1_500;
const SECRET = 'thirdpay-secret';
const PAYERS = {
  pays: 'pays@third',
  declines: 'declines@third',
  waits: 'waits@third',
  unknown: 'unknown@third',
};
/** Its words for what investor and bank do. */
const ACTS = {
  SUBMITTED: 'taken',
  APPROVED: 'agreed',
  REJECTED: 'dead',
  PAUSED: 'resting',
  ACTIVE: 'running',
  CANCELLED: 'ended',
} as const;
const WHY: Readonly<Record<string, string>> = {
  insufficient_funds: 'too_little_money',
  investor_bank_declined: 'bank_said_no',
};

/** `P1D`, `PT23H59M`. */
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/;

async function started() {
  const server = await new ThirdpayServer(SECRET, { late: 2 * TIMEOUT_MS, slow: TIMEOUT_MS / 4 }).listen();
  const timeOuts = new TimeOuts(TIMEOUT_MS);
  server.onLate = () => timeOuts.pass();
  // Nothing asks for its name here; the registry gives it the one of its line.
  const payments = new ThirdpayPayments({
    ...{ name: 'SDKVENDOR', baseUrl: server.url, secret: SECRET, timeoutMs: TIMEOUT_MS },
  });
  const end = async () => {
    timeOuts.end();
    await payments.close();
    await server.stop();
  };
  return { server, payments, end };
}

/** The result of docs/adding-a-provider.md: the folder, its stages, and the two lines below that run the suites on it. */
async function start(): Promise<PaymentStage> {
  const { server, payments, end } = await started();
  const { books, callbacks } = server;
  return {
    payments,
    payers: PAYERS,
    voids: true,
    refusedPayment: () => Promise.resolve(newPayment({ amount: Decimal.parse('0.99') })),
    disturb: async (call, how) => {
      await Promise.resolve();
      server.disturb(call, how);
    },
    disturbCallback: async (_, how) => {
      await Promise.resolve();
      callbacks.next = how;
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
      books.end(id, 'refused', WHY[code] ?? code);
    },
    callbacks: (reference) => Promise.resolve(callbacks.of(reference)),
    end,
  };
}

async function startMandates(): Promise<MandateStage> {
  const { server, payments, end } = await started();
  const { standings, callbacks } = server;
  let passedMs = 0;
  standings.now = () => Date.now() + passedMs;
  const read: MandateStage['read'] = ({ headers, raw }) => payments.readCallback(headers, raw);
  return {
    mandates: payments.mandates,
    payers: PAYERS,
    voids: true,
    drawsTr: payments.drawsTr,
    reportsTerms: false,
    read,
    now: () => Promise.resolve(new Date(standings.now())),
    pass: async (duration) => {
      await Promise.resolve();
      const [, days = 0, hours = 0, minutes = 0] = DURATION.exec(duration) ?? [];
      passedMs += (Number(days) * 1_440 + Number(hours) * 60 + Number(minutes)) * 60_000;
    },
    disturb: async (call, how) => {
      await Promise.resolve();
      if (call !== 'debit_result') server.disturb(call, how);
      else standings.nextResult = how === 'lost' ? 'lost' : 'late';
    },
    disturbCallback: async (_, how) => {
      await Promise.resolve();
      callbacks.next = how;
    },
    act: async (mandateId, what) => {
      await Promise.resolve();
      standings.act(mandateId, ACTS[what]);
    },
    pay: async (id) => {
      await Promise.resolve();
      standings.pay(id);
    },
    decline: async (id, code) => {
      await Promise.resolve();
      standings.decline(id, WHY[code] ?? code);
    },
    callbacks: (reference) => Promise.resolve(callbacks.of(reference)),
    reportedStates: (token) =>
      Promise.all(
        callbacks.of(token).map(async (callback) => {
          const { event_id, fact } = await read(callback);
          return { event_id, state: fact?.about === 'mandate' ? fact.state : null };
        }),
      ),
    end,
  };
}

paymentProviderConformance('thirdpay', start);
mandateConformance('thirdpay', startMandates);
