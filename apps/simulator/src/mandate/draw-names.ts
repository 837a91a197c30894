import { randomInt, randomUUID } from 'node:crypto';
import { razorpayId } from '../sdkvendor/razorpay-id.ts';
import type { MandateNames, MandateRow } from './mandate.ts';

const UMRN_DIGITS = 10;

/** Draws names in NPCI's format: a UMN looks like a VPA; a UMRN has twenty characters and starts with the bank's code. */
export function drawNames({ provider, mandate_type }: MandateRow): MandateNames {
  const drawn = randomUUID().replaceAll('-', '');
  const half = () => String(randomInt(10 ** UMRN_DIGITS)).padStart(UMRN_DIGITS, '0');
  return {
    token: provider === 'sdkvendor' ? razorpayId('token') : `gpm_${drawn}`,
    umrn: mandate_type === 'UPI' ? `${drawn}@${provider}` : `SAND${half()}${half().slice(0, 6)}`,
  };
}
