import { Public } from '@fundrail/service-kit/http';
import { applyDecorators, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { FaultInterceptor } from '../fault/fault.interceptor.ts';
import { RazorpayKeyGuard } from './key.guard.ts';
import { RazorpayRefusalFilter } from './razorpay-refusal.ts';

/** A controller of the simulated Razorpay: the key in place of a tenant token, its own error format, and faults. */
export const SdkvendorRoutes = () =>
  applyDecorators(
    Public(),
    ApiExcludeController(),
    UseGuards(RazorpayKeyGuard),
    UseInterceptors(FaultInterceptor),
    UseFilters(RazorpayRefusalFilter),
  );
