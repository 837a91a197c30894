import { AskDebit } from './ask-debit.ts';
import { CancelDebit } from './cancel-debit.ts';
import { ChangeDebit } from './change-debit.ts';
import { ClosePermit } from './close-permit.ts';
import { CreateDebit } from './create-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { DebitController } from './debit.controller.ts';
import { ExecuteDebit } from './execute-debit.ts';
import { NotifyDebit } from './notify-debit.ts';
import { ProviderDebits } from './provider-debits.ts';
import { RaiseDebit } from './raise-debit.ts';
import { SendAttempt } from './send-attempt.ts';
import { StoreDebit } from './store-debit.ts';
import { TakeDebitFact } from './take-debit-fact.ts';
import { WithdrawNotice } from './withdraw-notice.ts';

/** What debiting a mandate is made of. */
export const debits = {
  controllers: [DebitController],
  providers: [
    AskDebit,
    CancelDebit,
    ChangeDebit,
    ClosePermit,
    CreateDebit,
    DebitCalls,
    ExecuteDebit,
    NotifyDebit,
    ProviderDebits,
    RaiseDebit,
    SendAttempt,
    StoreDebit,
    TakeDebitFact,
    WithdrawNotice,
  ],
};
