import { Decimal } from '@fundrail/contracts';
import { MANDATE_URI_CODES, mandateUri, mandateUriFault } from './mandate-uri.ts';

const asked = {
  reference: 'P000000000042',
  payee_name: 'Ä & B=C',
  limit: Decimal.parse('100000'),
  valid_from: '2026-12-21',
  valid_to: '2056-12-20',
};
const uri = mandateUri({
  ...{ payee_vpa: 'fundrail@gatewaypoa', payee_name: 'Ä & B=C', mandate_name: 'Mandate 7' },
  ...{ reference: asked.reference, limit: '100000.00', merchant_category: '6211', note: 'Mandate 7' },
  ...{ valid_from: asked.valid_from, valid_to: asked.valid_to, ...MANDATE_URI_CODES },
});

// MAN-16: NPCI's mandate linking.
describe('the mandate linking URI', () => {
  it('given a mandate, when its URI is made, then each parameter of NPCI is there in its order', () => {
    expect([...new URL(uri).searchParams]).toEqual([
      ...Object.entries({ pa: 'fundrail@gatewaypoa', pn: 'Ä & B=C', mn: 'Mandate 7', tr: 'P000000000042' }),
      ...Object.entries({ am: '100000.00', cu: 'INR', amrule: 'MAX', recur: 'ASPRESENTED' }),
      ...Object.entries({ validitystart: '21122026', validityend: '20122056', rev: 'Y', purpose: '14' }),
      ...Object.entries({ mode: '04', mc: '6211', tn: 'Mandate 7', txnType: 'CREATE' }),
    ]);
    expect(uri).toMatch(/^upi:\/\/mandate\?[A-Za-z0-9%@=&.\-_~]+$/);
  });

  it('given the URI of what was asked, when it is checked, then it has no fault', () => {
    expect(mandateUriFault(uri, asked)).toBeNull();
  });

  it.each<[string, string, string | null]>([
    ['upi://mandate?', 'upi://pay?', 'does not begin with upi://mandate?'],
    ['Mandate%207', 'Mandate 7', 'is not percent-encoded'],
    ['Mandate%207', 'Mandate+7', 'is not percent-encoded'],
    ['%C3%84', 'Ä', 'is not percent-encoded'],
    ['pn=%C3%84', 'pn=%C3%A4', null],
    ['pn=%C3%84', 'pn=A', 'names another payee'],
    ['pn=%C3%84', 'pn=D&pn=%C3%84', 'names another payee'],
    ['am=100000.00', 'am=100000', 'has another am'],
    ['am=100000.00', 'am=100000.01', 'has another am'],
    ['am=100000.00', 'am=100000.00&am=1.00', 'has another am'],
    ['tr=P000000000042', 'tr=P000000000043', 'has another tr'],
    ['validitystart=21122026', 'validitystart=20261221', 'has another validitystart'],
    ['validityend=20122056', 'validityend=21122056', 'has another validityend'],
    ['amrule=MAX', 'amrule=EXACT', 'has another amrule'],
    ['recur=ASPRESENTED', 'recur=MONTHLY', 'has another recur'],
    ['cu=INR', 'cu=USD', 'has another cu'],
    ['rev=Y', 'rev=N', 'has another rev'],
    ['txnType=CREATE', 'txnType=REVOKE', 'has another txnType'],
    ['purpose=14', 'purpose=', 'has no purpose'],
    ['pa=fundrail@gatewaypoa', 'pa=', 'has no pa'],
    ['pa=fundrail@gatewaypoa', 'pa=fundrail@gatewaypoa&pa=other@bank', 'repeats pa'],
    ['mode=04', 'mode=04&mode=15', 'repeats mode'],
    // The operator may configure these two; any value is accepted.
    ['purpose=14', 'purpose=00', null],
    ['mode=04', 'mode=15', null],
  ])('given %s as %s, when it is checked, then: %s', (part, other, fault) => {
    expect(mandateUriFault(uri.replace(part, other), asked)).toBe(fault);
  });

  it.each<[string, string, string | null]>([
    ['tr=P000000000042', 'tr=4RVFZ8DrawnThere', null],
    ['am=100000.00', 'am=100000', null],
    ['am=100000.00', 'am=100000.1', 'has another am'],
    ['am=100000.00', 'am=1e5', 'has another am'],
    ['tr=P000000000042', 'tr=', 'has a tr that is not at most 35 alphanumerics'],
    ['tr=P000000000042', 'tr=1&tr=2', 'has a tr that is not at most 35 alphanumerics'],
    ['validityend=20122056', 'validityend=21122056', 'has another validityend'],
  ])(
    'given a provider that chooses the tr, and %s as %s, when it is checked, then: %s',
    (part, other, fault) => {
      expect(mandateUriFault(uri.replace(part, other), asked, { drawsTr: true })).toBe(fault);
    },
  );

  it.each(['P_1', 'a'.repeat(36)])(
    'given the reference %s, when it is checked, then every URI has a fault',
    (bad) => {
      const odd = { ...asked, reference: bad };
      expect(mandateUriFault(uri.replace(asked.reference, bad), odd)).toBe(
        'has a tr that is not at most 35 alphanumerics',
      );
    },
  );
});
