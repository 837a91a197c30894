import {
  CountedDeadlines,
  HolidayConsumer,
  HolidayCopy,
  HolidayList,
  RecountDeadlines,
} from '@fundrail/service-kit/holidays';
import { PaymentsConfig } from '../config.ts';
import { AskDebit } from './ask-debit.ts';
import { CancelDebit } from './cancel-debit.ts';
import { ChangeDebit } from './change-debit.ts';
import { ClosePermit } from './close-permit.ts';
import { DebitDeadlines } from './counted-deadlines.ts';
import { CreateDebit } from './create-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { DebitForOrder } from './debit-for-order.ts';
import { DebitController } from './debit.controller.ts';
import { ExecuteDebit } from './execute-debit.ts';
import { ExpireUnconfirmed } from './expire-unconfirmed.ts';
import { InternalDebitController } from './internal-debit.controller.ts';
import { MandateConsumer } from './mandate.consumer.ts';
import { NotifyDebit } from './notify-debit.ts';
import { ProviderDebits } from './provider-debits.ts';
import { RaiseDebit } from './raise-debit.ts';
import { ReplanDebit } from './replan-debit.ts';
import { ResendAttempt } from './resend-attempt.ts';
import { SendAttempt } from './send-attempt.ts';
import { AttemptOutcomes } from './sending/attempt-outcomes.ts';
import { ChangeDebits } from './sending/change-debits.ts';
import { SendBatch } from './sending/send-batch.ts';
import { SendDebits } from './sending/send-debits.lane.ts';
import { SendingPace } from './sending/sending-pace.ts';
import { StoreDebit } from './store-debit.ts';
import { TakeDebitFact } from './take-debit-fact.ts';
import { WithdrawNotice } from './withdraw-notice.ts';

/** The controllers and providers of debits, for the service's module. */
export const debits = {
  controllers: [DebitController, HolidayConsumer, InternalDebitController, MandateConsumer],
  providers: [
    AskDebit,
    AttemptOutcomes,
    CancelDebit,
    ChangeDebit,
    ChangeDebits,
    ClosePermit,
    CreateDebit,
    DebitCalls,
    DebitForOrder,
    ExecuteDebit,
    ExpireUnconfirmed,
    HolidayCopy,
    {
      provide: HolidayList,
      useFactory: ({ debits: { holidays } }: PaymentsConfig) => holidays,
      inject: [PaymentsConfig],
    },
    NotifyDebit,
    ProviderDebits,
    RaiseDebit,
    { provide: CountedDeadlines, useClass: DebitDeadlines },
    RecountDeadlines,
    ReplanDebit,
    ResendAttempt,
    SendAttempt,
    SendBatch,
    SendDebits,
    SendingPace,
    StoreDebit,
    TakeDebitFact,
    WithdrawNotice,
  ],
};
