/** How often something random happens in `npm test`, and in `npm run test:long`. A variable of the same name overrides both. */
export const SIZES = {
  /** Kills of the standalone at any moment of a purchase (`random-kills.e2e.spec.ts`). */
  CRASH_KILLS: { short: 12, long: 50 },
  /** Kills around debits; each costs a start and a part of a walk, of which there is one at a time. */
  CRASH_KILLS_OF_DEBITS: { short: 4, long: 12 },
  /** Faults of processes, Kafka and PostgreSQL while buyers buy (`chaos.e2e.spec.ts`). */
  CHAOS_KILLS: { short: 4, long: 10 },
  /** Purchase plans that fall due at once while processes are killed (`purchase-plans-due.e2e.spec.ts`); a multiple of ten. */
  DUE_PLANS: { short: 200, long: 1_000 },
  /** Pairs of a screen and a language in which pages of checkout and mandates are looked at (`LOOKS`). */
  PAGE_LOOKS: { short: 2, long: 4 },
  /** Whole demos, one after the other, on one product (`demo.e2e.spec.ts`). */
  WHOLE_DEMOS: { short: 1, long: 2 },
};

/** Sets the variables that are not set; workers inherit them. */
export function setSizes(env: Record<string, string | undefined>): void {
  for (const [name, { short, long }] of Object.entries(SIZES))
    env[name] ??= String(env['TEST_SIZE'] === 'long' ? long : short);
}
