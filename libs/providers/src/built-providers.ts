import { GatewaypoaPayments } from './gatewaypoa/gatewaypoa-payments.adapter.ts';
import type { HttpCallerOptions } from './http-caller.ts';
import type { PaymentProvider } from './ports.ts';
import { SdkvendorPayments } from './sdkvendor/sdkvendor-payments.adapter.ts';

/** A provider whose connections are closed when its service stops. */
export type BuiltProvider = PaymentProvider & { close(): Promise<void> };

/** The addresses, keys and secrets of the providers that a service calls. */
interface ProvidersConfig {
  readonly gatewaypoa: ConstructorParameters<typeof GatewaypoaPayments>[0];
  readonly sdkvendor?: ConstructorParameters<typeof SdkvendorPayments>[0];
}

/** What measures the calls, and the clock of due work. */
type Observation = Pick<HttpCallerOptions, 'observe' | 'businessTime'>;

/**
 * The payment providers that are configured, one line each (docs/adding-a-provider.md). The order gateway is one of them, and transfers
 * all money, also money that another provider collected. The first with a checkout is the default of the hosted page (PAY-10).
 */
export function buildProviders({ gatewaypoa, sdkvendor }: ProvidersConfig, observation: Observation) {
  const gateway = new GatewaypoaPayments({ ...gatewaypoa, ...observation });
  const all: readonly BuiltProvider[] = [
    gateway,
    ...(sdkvendor ? [new SdkvendorPayments({ ...sdkvendor, ...observation })] : []),
  ];
  return { gateway, all };
}
