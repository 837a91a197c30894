import {
  CountedDeadlines,
  HolidayConsumer,
  HolidayCopy,
  HolidayList,
  RecountDeadlines,
} from '@fundrail/service-kit/holidays';
import { PaymentsConfig } from '../config.ts';
import { CancelDebit } from './cancel-debit.ts';
import { DebitDeadlines } from './counted-deadlines.ts';
import { DebitForOrder } from './debit-for-order.ts';
import { DebitConsumer } from './debit.consumer.ts';
import { DebitController } from './debit.controller.ts';
import { ExpireUnconfirmed } from './expire-unconfirmed.ts';
import { HandOverDebit } from './hand-over-debit.ts';
import { InternalDebitController } from './internal-debit.controller.ts';
import { DebitChoices, RaiseDebit } from './raise-debit.ts';
import { StoreDebit } from './store-debit.ts';
import { TenantDebitChoices } from './tenant-debit-choices.ts';

/** The controllers and providers of debits, for the service's module. */
export const debits = {
  controllers: [DebitConsumer, DebitController, HolidayConsumer, InternalDebitController],
  providers: [
    CancelDebit,
    DebitForOrder,
    ExpireUnconfirmed,
    HandOverDebit,
    HolidayCopy,
    {
      provide: HolidayList,
      useFactory: ({ holidays }: PaymentsConfig) => holidays,
      inject: [PaymentsConfig],
    },
    RaiseDebit,
    { provide: DebitChoices, useClass: TenantDebitChoices },
    { provide: CountedDeadlines, useClass: DebitDeadlines },
    RecountDeadlines,
    StoreDebit,
  ],
};
