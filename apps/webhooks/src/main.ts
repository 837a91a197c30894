import { runService } from '@fundrail/service-kit';
import { webhooksService } from './index.ts';

await runService(webhooksService);
