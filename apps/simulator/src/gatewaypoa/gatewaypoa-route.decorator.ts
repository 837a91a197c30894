import { Public } from '@fundrail/service-kit/http';
import { applyDecorators, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { FaultInterceptor } from '../fault/fault.interceptor.ts';
import { ApiKeyGuard } from './api-key.guard.ts';
import { GatewayRefusalFilter } from './gateway-refusal.ts';

/** A controller of the simulated gateway: the API key in place of a tenant token, its own error format, and faults. */
export const GatewaypoaRoutes = () =>
  applyDecorators(
    Public(),
    ApiExcludeController(),
    UseGuards(ApiKeyGuard),
    UseInterceptors(FaultInterceptor),
    UseFilters(GatewayRefusalFilter),
  );
