/** What a policy decided about a request or an act. */
type Outcome = 'allowed' | 'refused';
type Listener = (policy: string, outcome: Outcome) => void;

const listeners = new Set<Listener>();

/** Calls the listener after each judgement of this process, for metrics. No decision depends on it. */
export function onJudged(listener: Listener): void {
  listeners.add(listener);
}

export function reportJudged(policy: string, outcome: Outcome): void {
  for (const listener of listeners) listener(policy, outcome);
}
