import { bootstrap } from '@fundrail/service-kit';
import { webhooksService } from './index.ts';

await bootstrap(webhooksService);
