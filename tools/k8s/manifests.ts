import { parseAllDocuments } from 'yaml';
import type { Container, KubernetesObject, Labels, PodSpec, Workload } from './objects.ts';
import { assertValid } from './schema-check.ts';

/** The pods that a workload makes. */
interface Pods {
  readonly workload: Workload;
  readonly labels: Labels;
  readonly spec: PodSpec;
}

/** The objects of an overlay, or of a file. */
export class Manifests {
  readonly objects: readonly KubernetesObject[];

  constructor(objects: readonly KubernetesObject[]) {
    this.objects = objects;
  }

  /** Reads YAML documents. Throws what the official schemas find wrong with any of them. */
  static parse(text: string): Manifests {
    const documents = parseAllDocuments(text).map((document) => {
      if (document.errors[0]) throw document.errors[0];
      const object: unknown = document.toJS();
      assertValid(object);
      return object;
    });
    return new Manifests(documents);
  }

  ofKind<K extends KubernetesObject['kind']>(kind: K): Extract<KubernetesObject, { kind: K }>[] {
    const isOfKind = (object: KubernetesObject): object is Extract<KubernetesObject, { kind: K }> =>
      object.kind === kind;
    return this.objects.filter(isOfKind);
  }

  named<K extends KubernetesObject['kind']>(
    kind: K,
    name: string,
  ): Extract<KubernetesObject, { kind: K }> | null {
    return this.ofKind(kind).find(({ metadata }) => metadata.name === name) ?? null;
  }

  get workloads(): Workload[] {
    return [...this.ofKind('Deployment'), ...this.ofKind('StatefulSet'), ...this.ofKind('Job')];
  }

  get pods(): Pods[] {
    return this.workloads.map((workload) => {
      const { metadata, spec } = workload.spec.template;
      return { workload, labels: metadata.labels ?? {}, spec };
    });
  }

  /** Each container with where it is, for messages: `Deployment orders, schema`. */
  get containers(): { readonly at: string; readonly pods: Pods; readonly container: Container }[] {
    return this.pods.flatMap((pods) =>
      [...(pods.spec.initContainers ?? []), ...pods.spec.containers].map((container) => ({
        at: `${nameOf(pods.workload)}, ${container.name}`,
        pods,
        container,
      })),
    );
  }
}

/** Kind and name. */
export function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name}`;
}
