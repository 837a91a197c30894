// What the verification of the product, and the tool that writes its document, use of it.
export { startOwn } from './demo/own-server.ts';
export { InvestorBrowser } from './demo/investor-browser.ts';
export { Transcript } from './demo/transcript.ts';
export { Edge, refuse, type Handler } from './edge/edge.ts';
export { InProcessTransport } from './edge/in-process-transport.ts';
export { pagesOf } from './pages/pages.ts';
export { verdictOf } from './reconcile/report.ts';
export { definitions } from './services.ts';
export { endWithHelp, refuseArguments, sentenceOf } from './usage.ts';
