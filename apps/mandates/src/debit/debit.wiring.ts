import { RecordedCalls } from '@fundrail/service-kit/calls';
import {
  CountedDeadlines,
  HolidayConsumer,
  HolidayCopy,
  HolidayList,
  RecountDeadlines,
} from '@fundrail/service-kit/holidays';
import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { MandatesConfig } from '../config.ts';
import { InvestorContacts } from '../outside/investor-contacts.ts';
import { AdmitDebit } from './admit-debit.ts';
import { AdoptDebit } from './adopt-debit.ts';
import { AskDebit } from './ask-debit.ts';
import { ChangeDebits } from './change-debits.ts';
import { DebitDeadlines } from './counted-deadlines.ts';
import { DebitCalls } from './debit-calls.ts';
import { DebitController } from './debit.controller.ts';
import { EndDebit } from './end-debit.ts';
import { NotifyDebit } from './notify-debit.ts';
import { DebitPaymentConsumer } from './payment.consumer.ts';
import { PermitController } from './permit.controller.ts';
import { ReplanDebit } from './replan-debit.ts';
import { SendAttempt } from './send-attempt.ts';
import { SendBatch } from './sending/send-batch.ts';
import { SendDebits } from './sending/send-debits.lane.ts';
import { SendingPace } from './sending/sending-pace.ts';
import { TakeDebitFact } from './take-debit-fact.ts';
import { TraceController } from './trace.controller.ts';
import { TraceDebit } from './trace-debit.ts';
import { WithdrawNotice } from './withdraw-notice.ts';

/** The controllers and providers of debits, for the service's module. */
export const debits = {
  controllers: [DebitController, DebitPaymentConsumer, HolidayConsumer, PermitController, TraceController],
  providers: [
    AdmitDebit,
    AdoptDebit,
    AskDebit,
    ChangeDebits,
    DebitCalls,
    EndDebit,
    HolidayCopy,
    {
      provide: HolidayList,
      useFactory: ({ holidays }: MandatesConfig) => holidays,
      inject: [MandatesConfig],
    },
    InvestorContacts,
    NotifyDebit,
    { provide: CountedDeadlines, useClass: DebitDeadlines },
    RecordedCalls,
    RecountDeadlines,
    ReplanDebit,
    SendAttempt,
    SendBatch,
    SendDebits,
    SendingPace,
    TakeDebitFact,
    TraceDebit,
    WithdrawNotice,
    forgetOldRows({ table: 'provider_calls', column: 'answered_at', days: 90, clock: 'business' }),
    forgetOldRows({ table: 'asked_now', column: 'asked_at', days: 7, clock: 'business' }),
  ],
};
