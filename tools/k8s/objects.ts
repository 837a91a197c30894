// What our rules read of Kubernetes' objects. The official schemas have checked them before, so that a rule may rely on types.

interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Labels;
}
export type Labels = Readonly<Record<string, string>>;

export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

interface KeyRef {
  readonly name: string;
  readonly key: string;
}

interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: KeyRef; readonly configMapKeyRef?: KeyRef };
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string | number };
  readonly exec?: object;
  readonly tcpSocket?: object;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly fsGroup?: number;
    readonly fsGroupChangePolicy?: string;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
}

interface PodTemplate {
  readonly metadata: { readonly labels?: Labels };
  readonly spec: PodSpec;
}

interface Named<K extends string> {
  readonly apiVersion: string;
  readonly kind: K;
  readonly metadata: Meta;
}
type Kind<K extends string, Rest> = Named<K> & Rest;

export interface NetworkPolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface NetworkPolicyPort {
  readonly protocol?: string;
  readonly port?: string | number;
  readonly endPort?: number;
}

interface IngressPath {
  readonly path: string;
  readonly pathType: string;
  readonly backend: {
    readonly service: { readonly name: string; readonly port: { readonly name?: string } };
  };
}

type Deployment = Kind<
  'Deployment',
  {
    readonly spec: {
      readonly replicas?: number;
      readonly selector: LabelSelector;
      readonly strategy?: { readonly rollingUpdate?: { readonly maxUnavailable?: number | string } };
      readonly template: PodTemplate;
    };
  }
>;
type StatefulSet = Kind<
  'StatefulSet',
  {
    readonly spec: {
      readonly replicas?: number;
      readonly selector: LabelSelector;
      readonly template: PodTemplate;
    };
  }
>;
export type Job = Kind<'Job', { readonly spec: { readonly template: PodTemplate } }>;
export type Service = Kind<
  'Service',
  {
    readonly spec: {
      readonly type?: string;
      readonly selector: Labels;
      readonly ports?: readonly {
        readonly name: string;
        readonly port: number;
        readonly targetPort: string | number;
        readonly nodePort?: number;
      }[];
    };
  }
>;
type ConfigMap = Kind<'ConfigMap', { readonly data?: Readonly<Record<string, string>> }>;
type Secret = Kind<
  'Secret',
  { readonly data?: Readonly<Record<string, string>>; readonly stringData?: Readonly<Record<string, string>> }
>;
type HorizontalPodAutoscaler = Kind<
  'HorizontalPodAutoscaler',
  {
    readonly spec: {
      readonly scaleTargetRef: { readonly kind: string; readonly name: string };
      readonly minReplicas: number;
      readonly maxReplicas: number;
    };
  }
>;
type PodDisruptionBudget = Kind<
  'PodDisruptionBudget',
  { readonly spec: { readonly selector: LabelSelector; readonly maxUnavailable?: number } }
>;
export type NetworkPolicy = Kind<
  'NetworkPolicy',
  {
    readonly spec: {
      readonly podSelector: LabelSelector;
      readonly policyTypes: readonly ('Ingress' | 'Egress')[];
      readonly ingress?: readonly {
        readonly from?: readonly NetworkPolicyPeer[];
        readonly ports?: readonly NetworkPolicyPort[];
      }[];
      readonly egress?: readonly {
        readonly to?: readonly NetworkPolicyPeer[];
        readonly ports?: readonly NetworkPolicyPort[];
      }[];
    };
  }
>;
type Ingress = Kind<
  'Ingress',
  {
    readonly spec: {
      readonly tls?: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
      readonly rules: readonly {
        readonly host: string;
        readonly http: { readonly paths: readonly IngressPath[] };
      }[];
    };
  }
>;
type Namespace = Kind<'Namespace', object>;
type ServiceAccount = Kind<'ServiceAccount', { readonly automountServiceAccountToken?: boolean }>;

export type KubernetesObject =
  | ConfigMap
  | Deployment
  | HorizontalPodAutoscaler
  | Ingress
  | Job
  | Namespace
  | NetworkPolicy
  | PodDisruptionBudget
  | Secret
  | Service
  | ServiceAccount
  | StatefulSet;

/** What makes pods. */
export type Workload = Deployment | Job | StatefulSet;
