import { runService } from '@fundrail/service-kit';
import { identityService } from './index.ts';

await runService(identityService);
