import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { known } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { store } from '../store/simulator.tables.ts';
import { CancelAuthorisation } from './cancel-authorisation.ts';
import { toAuthorisationObject, toMandateObject } from './mandate.ts';
import { RegisterAuthorisation } from './register-authorisation.ts';
import { RevokeMandate } from './revoke-mandate.ts';

/** gatewaypoa's mandates: authorisations by their reference, and mandates by their token. */
@Controller('gatewaypoa/mandates')
@GatewaypoaRoutes()
export class MandatesController {
  constructor(
    private readonly db: Database,
    private readonly registerAuthorisation: RegisterAuthorisation,
    private readonly cancelAuthorisation: CancelAuthorisation,
    private readonly revokeMandate: RevokeMandate,
  ) {}

  @Post('authorisations')
  @GatewayOperation('authorisation')
  register(
    @Body({ schema: gatewaypoaWire.authorisationRequest }) request: gatewaypoaWire.AuthorisationRequest,
  ) {
    return this.registerAuthorisation.execute(request);
  }

  @Post('authorisations/collect')
  @GatewayOperation('authorisation_collect')
  collect(
    @Body({ schema: gatewaypoaWire.authorisationCollectRequest })
    request: gatewaypoaWire.AuthorisationCollectRequest,
  ) {
    const { vpa, ...authorisation } = request;
    return this.registerAuthorisation.execute(authorisation, vpa);
  }

  @Get('authorisations/:reference')
  @GatewayOperation('authorisation_status')
  async authorisation(@Param('reference') reference: string) {
    const payment = known(await store.payments.find(this.db, { reference }), reference);
    const mandate = known(await store.mandates.find(this.db, { reference }), reference);
    return toAuthorisationObject(payment, mandate);
  }

  @Post('authorisations/:reference/cancel')
  @GatewayOperation('authorisation_cancel')
  cancel(@Param('reference') reference: string) {
    return this.cancelAuthorisation.execute(reference);
  }

  @Get(':token')
  @GatewayOperation('mandate_status')
  async mandate(@Param('token') token: string) {
    const mandate = await store.mandates.find(this.db, { token });
    return known(mandate && toMandateObject(mandate, await this.db.now()), token);
  }

  @Post(':token/revoke')
  @GatewayOperation('revoke')
  revoke(@Param('token') token: string) {
    return this.revokeMandate.execute(token);
  }
}
