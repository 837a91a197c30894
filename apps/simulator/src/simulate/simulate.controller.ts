import { found, integerIn } from '@fundrail/contracts';
import { CallerOf, widerForUpstream, type Caller } from '@fundrail/service-kit/http';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { SimulateMandate } from './simulate-mandate.ts';
import { SimulateOrder } from './simulate-order.ts';
import { SimulatePayment } from './simulate-payment.ts';
import {
  simulatedMandate,
  simulatedOrder,
  simulatedPayment,
  simulateMandateRequest,
  simulateOrderRequest,
  simulatePaymentRequest,
  simulateUpstreamMandate,
  simulateUpstreamOrder,
  simulateUpstreamPayment,
} from './simulate.dto.ts';
import type { SimulateMandateRequest, SimulateOrderRequest, SimulatePaymentRequest } from './simulate.dto.ts';

const paymentRequest = widerForUpstream(simulatePaymentRequest, simulateUpstreamPayment);
const mandateRequest = widerForUpstream(simulateMandateRequest, simulateUpstreamMandate);
const orderRequest = widerForUpstream(simulateOrderRequest, simulateUpstreamOrder);

/** Simulates the investor, the bank and the registrar (SAND-7 to SAND-10). Sandbox only. */
@ApiTags('Sandbox')
@Controller('api')
export class SimulateController {
  constructor(
    private readonly simulatePayment: SimulatePayment,
    private readonly simulateOrder: SimulateOrder,
    private readonly simulateMandate: SimulateMandate,
  ) {}

  @Post('pg/simulate/payments/:id')
  @ApiOperation({
    operationId: 'simulatePayment',
    summary: "Simulate the investor's action on a payment, or the outcome of its transfer",
    description: "Sandbox only. The provider's signed callback then reports the result, as in production.",
  })
  @ApiResponse({
    status: 200,
    description: 'Simulated; the callback follows',
    standardSchema: simulatedPayment,
  })
  payment(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: paymentRequest }) request: SimulatePaymentRequest,
  ) {
    return this.simulatePayment.execute(caller, idIn(id), request);
  }

  @Post('pg/simulate/mandates/:id')
  @ApiOperation({
    operationId: 'simulateMandate',
    summary: 'Simulate the actions of the investor and the bank on a mandate',
    description: "Sandbox only. The provider's signed callback then reports the result, as in production.",
  })
  @ApiResponse({
    status: 200,
    description: 'Simulated; the callback follows',
    standardSchema: simulatedMandate,
  })
  mandate(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: mandateRequest }) request: SimulateMandateRequest,
  ) {
    return this.simulateMandate.execute(caller, idIn(id), request);
  }

  @Post('oms/simulate/orders/:old_id')
  @ApiOperation({
    operationId: 'simulateOrder',
    summary: "Simulate the gateway's or the registrar's outcome for an order",
    description: "Sandbox only. The gateway's signed callback then reports the result, as in production.",
  })
  @ApiResponse({
    status: 200,
    description: 'Simulated; the callback follows',
    standardSchema: simulatedOrder,
  })
  order(
    @CallerOf() caller: Caller,
    @Param('old_id') oldId: string,
    @Body({ schema: orderRequest }) request: SimulateOrderRequest,
  ) {
    return this.simulateOrder.execute(caller, idIn(oldId), request);
  }
}

function idIn(text: string): number {
  return found(integerIn(text));
}
