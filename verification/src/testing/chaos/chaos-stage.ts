import { FleetStage, startFleetParts, type FleetParts } from '../fleet/fleet-stage.ts';
import { Kubelet } from '../fleet/kubelet.ts';

/** The three busiest services run twice: one replica leads the relay, both consume events and run due work. */
const REPLICAS = { orders: 2, payments: 2, webhooks: 2 } as const;
/** As long as a whole run: the audit finds what never arrives. */
const PATIENCE = { limitMs: 24 * 3_600_000, everyMs: 400 };

/** The parts of a chaos run: the product, and a kubelet that keeps its processes running. */
export class ChaosStage extends FleetStage {
  private constructor(
    parts: FleetParts,
    readonly kubelet: Kubelet,
  ) {
    super(parts, PATIENCE);
  }

  /** Starts everything, or nothing. @param log receives the lines of the kubelet. */
  static async open(log: (line: string) => void): Promise<ChaosStage> {
    const stage = new ChaosStage(await startFleetParts({ replicas: REPLICAS }), new Kubelet(log));
    await stage.begin();
    stage.kubelet.watch(stage.fleet.replicas());
    return stage;
  }

  override async close(): Promise<void> {
    await Promise.all([this.kubelet.stop(), super.close()]);
  }
}
