import { Decimal } from '@fundrail/contracts';
import { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import {
  cancelPayment,
  capture,
  decline,
  isSamePayment,
  pageState,
  refuseTransfer,
  registerPayment,
  toPaymentObject,
} from './provider-payment.ts';
import type { ProviderPaymentRow } from './provider-payment.ts';
import { upiPayUri } from './upi-uri.ts';

const NOW = new Date('2026-12-21T10:00:00+05:30');
const LATER = new Date('2026-12-21T10:30:00+05:30');
const request: gatewaypoaWire.PaymentRequest = {
  reference: 'P00000000000042',
  payment_id: 42,
  tenant: 'demo',
  amount_paise: 100_150,
  currency: 'INR',
  payer: null,
  expires_at: LATER.toISOString(),
};
const payment = (parts: Partial<ProviderPaymentRow> = {}) => ({
  ...registerPayment(request, 'Demo & Co', null, NOW),
  ...parts,
});

describe('the UPI URI', () => {
  const uri = upiPayUri({
    reference: 'P42',
    payment_id: 42,
    amount: Decimal.parse('1001.5'),
    payee_name: 'Ä & B=C',
  });

  it('given a payment, when its URI is created, then each parameter of NPCI has its exact value', () => {
    const { searchParams } = new URL(uri);
    expect(Object.fromEntries(searchParams)).toEqual({
      pa: 'fundrail.mf@validsandbox',
      pn: 'Ä & B=C',
      mc: '6211',
      tr: 'P42',
      tn: 'Payment 42',
      am: '1001.50',
      cu: 'INR',
    });
  });

  it('given a name with spaces, when it is encoded, then it has no plus and no raw space', () => {
    expect(uri).toMatch(/^upi:\/\/pay\?[A-Za-z0-9%@=&.\-_~]+$/);
  });
});

describe('a payment at the provider', () => {
  it.each(['awaiting_payer', 'declined', 'cancelled'] as const)(
    'given one that is %s, when money comes, then it is captured',
    (status) => {
      expect(capture(payment({ status }), '000000100001')).toMatchObject({
        status: 'captured',
        provider_reference: '000000100001',
      });
    },
  );

  it('given a captured one, when money comes again, then it is illegal', () => {
    expect(() => capture(payment({ status: 'captured' }), '1')).toThrow(IllegalTransition);
  });

  it.each(['captured', 'declined', 'cancelled'] as const)(
    'given one that is %s, when it is declined, then it is illegal',
    (status) => {
      expect(() => decline(payment({ status }), 'payment_failed', 'm')).toThrow(IllegalTransition);
    },
  );

  it('given a paid one, when it is cancelled, then it is refused', () => {
    expect(cancelPayment(payment({ status: 'captured' }))).toBeNull();
  });

  it('given a declined one, when it is cancelled, then it stays as it is', () => {
    const row = payment({ status: 'declined' });
    expect(cancelPayment(row)).toBe(row);
  });

  it('given no money, when its transfer is to be rejected, then it is illegal', () => {
    expect(() => refuseTransfer(payment(), 'x')).toThrow(IllegalTransition);
  });

  it('given a rejected transfer, when the rejection is requested again, then it is illegal', () => {
    const refused = refuseTransfer(payment({ status: 'captured' }), 'x');
    expect(() => refuseTransfer(refused, 'x')).toThrow(IllegalTransition);
  });

  it.each<[ProviderPaymentRow['status'], Date, string]>([
    ['awaiting_payer', NOW, 'waiting'],
    ['awaiting_payer', LATER, 'expired'],
    ['captured', LATER, 'paid'],
    ['declined', NOW, 'declined'],
    ['cancelled', NOW, 'expired'],
  ])('given one that is %s at %s, when the page is opened, then it shows %s', (status, now, shown) => {
    expect(pageState(payment({ status }), now)).toBe(shown);
  });

  it.each<[string, ProviderPaymentRow]>([
    ['awaiting', payment()],
    ['captured', capture(payment(), '000000100001')],
    ['declined', decline(payment(), 'insufficient_funds', 'm')],
    ['cancelled', payment({ status: 'cancelled' })],
  ])('given one that is %s, when it is sent, then our adapter can parse it', (_, row) => {
    expect(gatewaypoaWire.paymentObject.safeParse(toPaymentObject(row)).success).toBe(true);
  });

  it.each([{ payment_id: 43 }, { tenant: 'other' }, { amount_paise: 1 }])(
    'given the same reference with %j, when it is compared, then it is another payment',
    (difference) => {
      expect(isSamePayment(payment(), { ...request, ...difference }, null)).toBe(false);
    },
  );
});
