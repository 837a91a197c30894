import { MANDATE_STATUSES, PROVIDER_MANDATE_STATUSES } from '@fundrail/contracts';
import { anApprovedMandate, NOW } from '../testing/mandate.builder.ts';
import { applyProviderState, judgeNotification } from './mandate-facts.ts';

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
