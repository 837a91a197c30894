import { Decimal, MANDATE_STATUSES, PROVIDER_MANDATE_STATUSES } from '@fundrail/contracts';
import type { MandateState } from '@fundrail/providers';
import { anApprovedMandate, NOW } from '../testing/mandate.builder.ts';
import {
  applyProviderFacts,
  applyProviderState,
  applyProviderTerms,
  judgeNotification,
} from './mandate-facts.ts';

type Status = (typeof MANDATE_STATUSES)[number];

/** Each state here against each state at the provider: the trigger that is taken, `!` for a contradiction, `-` for nothing. */
const CELLS: Readonly<Record<Status, string>> = {
  //          active  paused cancelled expired rejected
  CREATED: '  -       !      !         !       reject',
  RECEIVED: ' -       !      !         !       reject',
  SUBMITTED: '-       !      !         !       reject',
  APPROVED: ' -       pause  cancel    expire  cancel',
  REJECTED: ' !       !      -         -       -',
  PAUSED: '   resume  -      cancel    expire  cancel',
  CANCELLED: '-       -      -         -       !',
  EXPIRED: '  -       -      -         -       !',
};

const cells = MANDATE_STATUSES.flatMap((here) => {
  const words = CELLS[here].trim().split(/\s+/);
  return PROVIDER_MANDATE_STATUSES.map((there, index) => ({ here, there, what: words[index] ?? '' }));
});

describe('the state of a mandate at the provider', () => {
  it.each(cells)('$there there and $here here: $what', ({ here, there, what }) => {
    const finding = applyProviderState(anApprovedMandate({ mandate_status: here }), there, NOW);
    const word = finding === null ? '-' : typeof finding === 'string' ? '!' : finding.trigger;
    expect(word).toBe(what);
  });
});

describe('the terms of a mandate at its issuer (mandate_modification, MAN-26)', () => {
  const ours = { mandate_limit: Decimal.parse('5000'), valid_from: '2026-12-21', valid_to: '2030-12-31' };
  const taken = (limit: string | null, valid_to: string | null, status: Status = 'APPROVED') => {
    const row = anApprovedMandate({ ...ours, mandate_status: status, doubted_at: NOW });
    const changed = { limit: limit === null ? null : Decimal.parse(limit), valid_to };
    const finding = applyProviderTerms(row, changed, NOW);
    if (finding === null) return null;
    const { mandate_limit, valid_to: until, doubted_at } = finding.row;
    return [finding.trigger, mandate_limit.toFixed2(), until, doubted_at];
  };

  it.each([
    ['5000', '2030-12-31', null],
    ['5000.00', null, null],
    [null, null, null],
    ['4999.99', null, ['modify', '4999.99', '2030-12-31', null]],
    ['5000.01', null, ['modify', '5000.01', '2030-12-31', null]],
    [null, '2030-12-30', ['modify', '5000.00', '2030-12-30', null]],
    ['1', '2031-01-01', ['modify', '1.00', '2031-01-01', null]],
    [null, '2026-12-21', ['modify', '5000.00', '2026-12-21', null]],
    [null, '2026-12-20', ['expire', '5000.00', '2030-12-31', null]],
    ['100000', '2056-12-21', ['modify', '100000.00', '2056-12-21', null]],
    ['100000.01', '2056-12-22', ['modify', '100000.00', '2056-12-21', null]],
  ])('of %s until %s', (limit, valid_to, expected) => {
    expect(taken(limit, valid_to)).toEqual(expected);
  });

  it.each(MANDATE_STATUSES)('while it is %s are taken only when it is approved', (status) => {
    expect(taken('1', null, status) !== null).toBe(status === 'APPROVED');
  });

  it('are taken before a pause that comes with them, and not at the end', () => {
    const terms = { limit: Decimal.parse('1'), valid_to: null };
    const triggers = (status: MandateState['status']) => {
      const steps = applyProviderFacts(anApprovedMandate(ours), { status, terms }, NOW);
      return typeof steps === 'string' ? steps : steps.map(({ trigger }) => trigger);
    };
    expect(triggers('paused')).toEqual(['modify', 'pause']);
    expect([triggers('cancelled'), triggers('expired')]).toEqual([['cancel'], ['expire']]);
  });

  it('are taken with the resumption, and asked about first when they are reported', () => {
    const row = anApprovedMandate({ ...ours, mandate_status: 'PAUSED' });
    const terms = { limit: Decimal.parse('1'), valid_to: null };
    const steps = applyProviderFacts(row, { status: 'active', terms }, NOW);
    expect(typeof steps === 'string' ? steps : steps.map(({ trigger }) => trigger)).toEqual([
      'resume',
      'modify',
    ]);
    expect(judgeNotification(anApprovedMandate(ours), 'active', NOW, terms)).toBe('ask');
    expect(
      judgeNotification(anApprovedMandate(ours), 'active', NOW, { limit: null, valid_to: null }),
    ).toBeNull();
  });
});

describe('a notification', () => {
  // An end is applied at once. Everything that may be outdated or contradicts us is asked about.
  it.each(cells)('of $there while $here', ({ here, there, what }) => {
    const isAsked = ['pause', 'resume', '!'].includes(what) || (there === 'rejected' && what === 'cancel');
    const judged = judgeNotification(anApprovedMandate({ mandate_status: here }), there, NOW);
    const word = judged === null ? '-' : judged === 'ask' ? 'ask' : judged.step.trigger;
    expect(word).toBe(isAsked ? 'ask' : what);
  });

  it('that is not understood causes a question to the provider', () => {
    expect(judgeNotification(anApprovedMandate(), null, NOW)).toBe('ask');
  });
});
