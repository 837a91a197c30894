/** A payment provider as its operator, clients and the deployment see it. Its adapter is the folder of its name in libs/providers. */
export interface ProviderEntry {
  /** Its Secrets, without its name before them: our keys there, and what it signs its callbacks with. */
  readonly secrets: readonly string[];
  /** The sandbox's public values of Secrets that have a form of their own. */
  readonly sandbox?: Readonly<Record<string, string>>;
  /** Where it reports, below `/callbacks/`; by default its name, at payments, also for what it reports on mandates. */
  readonly callbacks?: { readonly payments: string; readonly mandates?: string };
  /** The path at which the sandbox's simulator plays it; absent where it does not. */
  readonly simulatedAt?: string;
  /** The order gateway as a provider. A client that names it for net banking means the hosted page (PAY-10). */
  readonly gateway?: true;
  /** Its names in the upstream interface: those understood, the first of which is answered, and its key in `sdk_options` (COMP-2, COMP-3). */
  readonly upstream?: { readonly names: readonly [string, ...string[]]; readonly key?: string };
}

/** The payment providers, one line each (docs/adding-a-provider.md). The first with a checkout is the hosted page's (PAY-10). */
export const PROVIDERS = {
  // prettier-ignore
  gatewaypoa: { secrets: ['API_KEY', 'WEBHOOK_SECRET'], callbacks: { payments: 'gatewaypoa/payments', mandates: 'gatewaypoa/mandates' }, simulatedAt: '', gateway: true, upstream: { names: ['CYBRILLAPOA', 'ONDC'] } },
  // Razorpay generates ids in its own form; its webhook secret is the merchant's own choice.
  // prettier-ignore
  sdkvendor: { secrets: ['KEY_ID', 'KEY_SECRET', 'WEBHOOK_SECRET'], sandbox: { KEY_ID: 'rzp_test_fundrailsandbox' }, simulatedAt: '/sdkvendor', upstream: { names: ['RAZORPAY', 'BILLDESK'], key: 'razorpay' } },
} as const satisfies Readonly<Record<string, ProviderEntry>>;
