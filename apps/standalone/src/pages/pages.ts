import { routeFor, SERVICES } from '@fundrail/contracts';
import { answerMetrics, processMetrics, webhooksSection } from '@fundrail/service-kit';
import { asyncApi, sendDocument } from '../documents/async-api.ts';
import { docsFile, docsPage } from '../documents/docs.page.ts';
import { guides } from '../documents/guides.page.ts';
import { joinDocuments } from '../documents/join-documents.ts';
import type { OwnPages } from '../edge/edge.ts';
import type { Services } from '../services.ts';
import { sendHomePage, type HomePage } from './home.page.ts';
import { readSeed } from './seed.ts';

/** The order in which the reader shows them: the order in which a new client needs them. */
const TAGS = {
  Authentication: 'Tokens, the keys that verify them, and your own tenant',
  Investors: 'Investors with their details, bank accounts and investment accounts',
  'MF purchases': 'Orders that buy units of a scheme',
  'MF purchase plans': 'Series of purchases (SIP)',
  'MF redemptions': 'Orders that sell units of a scheme',
  'MF redemption plans': 'Monthly series of redemptions (SWP)',
  'MF folios': 'Folios, as successful orders show them',
  Payments: 'Payments for orders: by UPI, on the hosted page, by an SDK or by a mandate',
  Mandates: "The investor's permission to debit an account",
  Webhooks: 'Endpoints that receive events, their deliveries, and the events themselves',
  Policies: 'Rules of regulators and of NPCI, as they are in force on a day',
  Sandbox: 'What a test needs: outcomes, faults, and the clock. Not there outside the sandbox',
  Administration: 'For operators: tenants, their clients, holidays and the audit',
  Callbacks: 'For outside systems that report to us, not for clients',
};

const INFO = {
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  info: {
    title: 'fundrail',
    version: '1.0.0',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    contact: { name: 'The maintainers of fundrail' },
    description:
      'Order payments for mutual funds in India. Errors have one shape, `Error`; see docs/errors.md for the codes. Answers to clients of the upstream interface have other names; see docs/migrate.md.',
  },
};

/** What the standalone itself serves: the start page, the joined OpenAPI document and its reader, the guides, the AsyncAPI document, and metrics. */
export async function pagesOf(
  services: Services,
  publicBaseUrl: string,
  sandbox: boolean,
): Promise<OwnPages> {
  const openApi = () => {
    const documents = SERVICES.flatMap((name) => services.running.get(name)?.document ?? []);
    const { webhooks, schemas } = webhooksSection();
    const joined = joinDocuments(
      [...documents, { openapi: '3.1.0', paths: {}, components: { schemas } }],
      { ...INFO, servers: [{ url: publicBaseUrl }], webhooks },
      (path) => routeFor(path, sandbox) !== null,
    );
    return JSON.stringify(joined);
  };
  processMetrics();
  const metrics = [...services.running.values()].map((service) => service.metrics);
  const guidePages = guides();
  const home: HomePage = { sandbox: sandbox ? await readSeed(services, publicBaseUrl) : null };
  return new Map([
    ['/', (_request, response) => sendHomePage(response, home)],
    ['/openapi.json', sendDocument(openApi)],
    ['/asyncapi.json', sendDocument(asyncApi)],
    ['/metrics', (_request, response) => void answerMetrics(metrics, response)],
    ['/docs', docsPage],
    ['/docs/', docsFile],
    ['/docs/guides', guidePages],
    ['/docs/guides/', guidePages],
  ]);
}
