import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { bookOf, pageOf } from '../gatewaypoa/book.ts';
import { known } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { store } from '../store/simulator.tables.ts';
import { CancelProviderPayment } from './cancel-provider-payment.ts';
import { toPaymentObject } from './provider-payment.ts';
import { RegisterPayment } from './register-payment.ts';

/** gatewaypoa as the payment provider: registration (which issues the UPI URI, or sends the collect request), status, cancellation. */
@Controller('gatewaypoa/payments')
@GatewaypoaRoutes()
export class ProviderPaymentsController {
  constructor(
    private readonly db: Database,
    private readonly registerPayment: RegisterPayment,
    private readonly cancelPayment: CancelProviderPayment,
  ) {}

  @Post()
  @GatewayOperation('payment')
  register(@Body({ schema: gatewaypoaWire.paymentRequest }) request: gatewaypoaWire.PaymentRequest) {
    return this.registerPayment.execute(request);
  }

  @Post('collect')
  @GatewayOperation('collect')
  collect(@Body({ schema: gatewaypoaWire.collectRequest }) request: gatewaypoaWire.CollectRequest) {
    const { vpa, ...payment } = request;
    return this.registerPayment.execute(payment, vpa);
  }

  @Get()
  @GatewayOperation('payment_status')
  async book(@Query({ schema: gatewaypoaWire.bookQuery }) query: gatewaypoaWire.BookQueryWire) {
    const [where, ...page] = pageOf(query);
    const paid = { ...where, provider: 'gatewaypoa', kind: { not: 'authorisation' } } as const;
    return bookOf(await store.payments.list(this.db, paid, ...page), query, toPaymentObject);
  }

  @Get(':reference')
  @GatewayOperation('payment_status')
  async status(@Param('reference') reference: string) {
    return toPaymentObject(known(await store.payments.find(this.db, { reference }), reference));
  }

  @Post(':reference/cancel')
  @GatewayOperation('cancel')
  cancel(@Param('reference') reference: string) {
    return this.cancelPayment.execute(reference);
  }
}
