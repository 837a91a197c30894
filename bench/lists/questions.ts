import { addDays, istDate } from '@fundrail/contracts';
import { FIRST_ID, FIRST_ORDER, REFERENCE } from './fill.ts';

/** A database with so many payments, evenly over a year; seven of ten are the tenant's that asks. */
export interface Filled {
  readonly payments: number;
}

/** The requested path below `/api/pg/payments`, with new random values each time. */
type Question = (filled: Filled) => string;

const SIZE = 20;
const TENANTS_SHARE = 0.7;
const RECENT_DAYS = 30;

const draw = (below: number) => Math.floor(Math.random() * below);
/** The number of one of the tenant's payments that has an order. */
const drawOwn = ({ payments }: Filled) => draw(payments / 20) * 20 + 1 + draw(2);
/** A page between two parts of all that the tenant has. */
const pageBetween = ({ payments }: Filled, from: number, to: number) =>
  Math.floor((payments * TENANTS_SHARE * (from + Math.random() * (to - from))) / SIZE);
const aMonth = () => {
  const from = addDays(istDate(new Date()), -RECENT_DAYS - draw(300));
  return `from=${from}&to=${addDays(from, RECENT_DAYS - 1)}`;
};

export const QUESTIONS = {
  first_page: () => '',
  status: () => '?payment_status=FAILED',
  rare_status: () => '?payment_status=REJECTED',
  type: () => '?payment_type=NACH',
  type_and_status: () => '?payment_type=NACH&payment_status=APPROVED',
  days: () => `?${aMonth()}`,
  days_and_status: () => `?${aMonth()}&payment_status=FAILED`,
  orders: (filled) => `?amc_order_ids=${[1, 2, 3].map(() => FIRST_ORDER + drawOwn(filled)).join(',')}`,
  reference: (filled) => `?source_ref_id=${REFERENCE}${drawOwn(filled)}`,
  deep_page: (filled) => `?page=${pageBetween(filled, 0.3, 0.7)}`,
  last_page: (filled) => `?page=${pageBetween(filled, 1, 1) - 1}`,
  one: (filled) => `/${FIRST_ID + drawOwn(filled)}`,
} satisfies Record<string, Question>;

export type QuestionName = keyof typeof QUESTIONS;
export const QUESTION_NAMES = Object.keys(QUESTIONS) as QuestionName[];
