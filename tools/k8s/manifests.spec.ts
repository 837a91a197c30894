import { PRODUCT_SERVICES } from '@fundrail/contracts';
import { describeWithKubectl } from '@fundrail/testing';
import { readFileSync } from 'node:fs';
import { Manifests } from './manifests.ts';
import { findRenderer, OVERLAYS, render, renderOverlay, type Overlay } from './render.ts';
import { RULES } from './rules/index.ts';
import { NAME, type Site } from './rules/rule.ts';

const EXAMPLES = new URL('../../k8s/overlays/production/examples/', import.meta.url);

function siteOf(overlay: Overlay): Site {
  const examples = ['secrets.yaml', 'kafka.yaml'].map((name) =>
    readFileSync(new URL(name, EXAMPLES), 'utf8'),
  );
  return {
    overlay: renderOverlay(overlay),
    documented: overlay === 'production' ? Manifests.parse(examples.join('\n---\n')) : new Manifests([]),
    guests: overlay === 'local' ? render('k8s/demo') : new Manifests([]),
  };
}

describeWithKubectl(findRenderer() !== null, 'the Kubernetes manifests', () => {
  describe.each(OVERLAYS)('%s', (name) => {
    let site: Site;
    beforeAll(() => {
      site = siteOf(name);
    });

    it.each(RULES)('$says', ({ breaches }) => {
      expect(breaches(site)).toEqual([]);
    });
  });

  it('of production play nothing and keep nothing: no sandbox, no Secret, no store', () => {
    const production = renderOverlay('production');
    const environment = production.ofKind('ConfigMap').find(({ data }) => data?.['SANDBOX']);
    expect(environment?.data).toMatchObject({ SANDBOX: 'false' });
    expect([...production.ofKind('Secret'), ...production.ofKind('StatefulSet')]).toEqual([]);
    expect(production.pods.filter(({ labels }) => labels[NAME] === 'simulator')).toEqual([]);
  });

  it('of production keep the replicas of a service apart', () => {
    const spread = renderOverlay('production')
      .ofKind('Deployment')
      .map(({ spec }) => spec.template.spec.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey));
    const everywhere = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'];
    expect(spread).toEqual([...PRODUCT_SERVICES, 'edge'].map(() => everywhere));
  });

  it('open the local edge at the node port that its links lead to', () => {
    const local = renderOverlay('local');
    const [port] = local.named('Service', 'edge')?.spec.ports ?? [];
    const environment = local.ofKind('ConfigMap').find(({ data }) => data?.['PUBLIC_BASE_URL']);
    expect(port?.nodePort).toBe(30_080);
    expect(environment?.data?.['PUBLIC_BASE_URL']).toBe('http://127.0.0.1:30080');
  });
});
