import type { Manifests } from '../manifests.ts';
import type { LabelSelector, Labels } from '../objects.ts';

/** The input of a rule. */
export interface Site {
  /** The rendered overlay. */
  readonly overlay: Manifests;
  /** ConfigMaps and Secrets that the site creates, by their documentation. */
  readonly documented: Manifests;
  /** Pods that come and go beside the overlay's: a buyer app. */
  readonly guests: Manifests;
}

/** A rule of ours about manifests. */
export interface Rule {
  readonly says: string;
  /** Each breach in words, with the object's kind and name. */
  readonly breaches: (site: Site) => string[];
}

/** Labels by which everything is selected. */
export const NAME = 'app.kubernetes.io/name';
export const COMPONENT = 'app.kubernetes.io/component';

/** Kubernetes' own meaning of a label selector; an empty one matches all. */
export function matches(selector: LabelSelector, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      switch (operator) {
        case 'In':
          return value !== undefined && values.includes(value);
        case 'NotIn':
          return value === undefined || !values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
      }
    })
  );
}
