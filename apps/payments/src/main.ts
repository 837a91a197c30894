import { bootstrap } from '@fundrail/service-kit';
import { paymentsService } from './index.ts';

await bootstrap(paymentsService);
