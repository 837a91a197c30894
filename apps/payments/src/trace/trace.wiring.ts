import { RecordedCalls } from '@fundrail/service-kit/calls';
import { forgetOldRows } from '@fundrail/service-kit/housekeeping';
import { TracePayment } from './trace-payment.ts';
import { TraceController } from './trace.controller.ts';

/** The trace of payments for operators, and the record of provider calls. */
export const traces = {
  controllers: [TraceController],
  providers: [
    RecordedCalls,
    TracePayment,
    forgetOldRows({ table: 'provider_calls', column: 'answered_at', days: 90, clock: 'business' }),
  ],
};
