import { nameOf, type Manifests } from '../manifests.ts';
import { COMPONENT, NAME, type Rule, type Site } from './rule.ts';

/** Matches our own images in any registry. */
const OURS = /(?:^|\/)fundrail\/[a-z]+:/;
/** A tag that may be the end of an object's name (RFC 1123) and a label's value. */
const NAMEABLE = /^[a-z0-9](?:[a-z0-9.-]{0,48}[a-z0-9])?$/;

function tagOf({ overlay }: Pick<Site, 'overlay'>): string {
  return overlay.named('ConfigMap', 'release')?.data?.['tag'] ?? '';
}

const servicesOf = (overlay: Manifests) =>
  overlay.ofKind('Deployment').filter(({ metadata }) => metadata.labels?.[COMPONENT] === 'service');

/** How a release is one line, and its migrations come before its pods. */
export const RELEASE_RULES: readonly Rule[] = [
  {
    says: 'the tag of the release can be part of a name',
    breaches: (site) => (NAMEABLE.test(tagOf(site)) ? [] : [`the tag ${tagOf(site)} cannot`]),
  },
  {
    says: 'every image has a tag, never latest, and ours the tag of the release',
    breaches: (site) =>
      site.overlay.containers.flatMap(({ at, container: { image } }) => {
        const tag = /:([^:/]+)$/.exec(image)?.[1] ?? 'latest';
        if (tag === 'latest') return [`${at} runs ${image}`];
        return OURS.test(image) && tag !== tagOf(site) ? [`${at} runs ${image}, not ${tagOf(site)}`] : [];
      }),
  },
  {
    says: 'each service has a migration Job of its image, whose name carries the tag',
    breaches: (site) =>
      servicesOf(site.overlay).flatMap((deployment) => {
        const job = site.overlay.named('Job', `${deployment.metadata.name}-migrate-${tagOf(site)}`);
        const [migrate] = job?.spec.template.spec.containers ?? [];
        const [service] = deployment.spec.template.spec.containers;
        const isRight = migrate?.image === service?.image && migrate?.command?.at(-1) === 'migrate';
        return isRight ? [] : [`${nameOf(deployment)} has none`];
      }),
  },
  {
    says: 'there is no Job but these',
    breaches: (site) =>
      site.overlay
        .ofKind('Job')
        .filter(
          ({ metadata }) =>
            metadata.name !== `${metadata.labels?.[NAME] ?? ''}-migrate-${tagOf(site)}` ||
            !site.overlay.named('Deployment', metadata.labels?.[NAME] ?? ''),
        )
        .map(nameOf),
  },
  {
    says: 'each service waits for the schema of its own image',
    breaches: ({ overlay }) =>
      servicesOf(overlay).flatMap((deployment) => {
        const { initContainers = [], containers } = deployment.spec.template.spec;
        const waits = initContainers.some(
          ({ image, command = [] }) =>
            image === containers[0]?.image &&
            ['migrate', '--check'].every((word) => command.includes(word)) &&
            command.some((word) => word.startsWith('--wait')),
        );
        return waits ? [] : [nameOf(deployment)];
      }),
  },
];
