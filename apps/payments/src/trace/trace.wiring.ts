import { RecordedCalls } from '@fundrail/service-kit/calls';
import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { AskPayment } from './ask-payment.ts';
import { TracePayment } from './trace-payment.ts';
import { TraceController } from './trace.controller.ts';

/** The trace of payments for operators, their questions, and the record of provider calls. */
export const traces = {
  controllers: [TraceController],
  providers: [
    RecordedCalls,
    AskPayment,
    TracePayment,
    forgetOldRows({ table: 'provider_calls', column: 'answered_at', days: 90, clock: 'business' }),
    forgetOldRows({ table: 'asked_now', column: 'asked_at', days: 7, clock: 'business' }),
  ],
};
