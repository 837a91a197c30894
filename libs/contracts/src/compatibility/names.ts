import { PROVIDERS, type ProviderEntry } from '../providers.ts';

/** How a client of the upstream interface is answered: with its usual names, or with those of one of its gateways (COMP-1). */
export const COMPATIBILITIES = ['upstream', 'upstream/ondc', 'upstream/rta'] as const;
export type Compatibility = (typeof COMPATIBILITIES)[number];

/** A compatibility as a text, such as a claim or a column; null for anything else, so that an unknown one changes nothing. */
export function compatibilityOf(text: unknown): Compatibility | null {
  return COMPATIBILITIES.find((known) => known === text) ?? null;
}

/** One of our names, with the upstream's names for it. */
interface Names {
  readonly ours: string;
  /** Each is understood in a request. Answers have the one of the client's gateway, or else the first. */
  readonly theirs: readonly [string, ...string[]];
}

const UPSTREAM = Object.entries<ProviderEntry>(PROVIDERS).flatMap(([provider, { upstream }]) =>
  upstream ? [{ provider, ...upstream }] : [],
);

/** The fields whose values are names, at any depth of a body and in a query (COMP-2). */
export const NAMED_FIELDS: Readonly<Record<string, readonly Names[]>> = {
  gateway: [{ ours: 'gatewaypoa', theirs: ['cybrillapoa', 'ondc', 'rta'] }],
  provider_name: UPSTREAM.map(({ provider, names }) => ({ ours: provider.toUpperCase(), theirs: names })),
};

/** The keys that are names, each inside the object of that key (COMP-3). Answers have them, requests do not. */
export const NAMED_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sdk_options: Object.fromEntries(
    UPSTREAM.flatMap(({ provider, key }) => (key ? [[provider, key] as const] : [])),
  ),
};

/** The upstream's name in answers: that of the client's gateway where there is one. */
export function nameFor({ theirs }: Names, compatibility: Compatibility): string {
  const [, gateway = ''] = compatibility.split('/');
  return theirs.find((name) => name.toLowerCase() === gateway) ?? theirs[0];
}

/** By each of our names, and each key, the client's for it. */
const OURS: ReadonlyMap<string, (compatibility: Compatibility) => string> = new Map([
  ...Object.values(NAMED_KEYS)
    .flatMap((keys) => Object.entries(keys))
    .map(([ours, theirs]) => [ours, () => theirs] as const),
  ...Object.values(NAMED_FIELDS)
    .flat()
    .map((names) => [names.ours, (compatibility: Compatibility) => nameFor(names, compatibility)] as const),
]);
const A_NAME = new RegExp(`\\b(${[...OURS.keys()].join('|')})\\b`, 'g');

/** A sentence in which each of our names is the client's (COMP-9). Said of it again, it does not change. */
export function renamedIn(sentence: string, compatibility: Compatibility): string {
  return sentence.replaceAll(A_NAME, (ours) => OURS.get(ours)?.(compatibility) ?? ours);
}
