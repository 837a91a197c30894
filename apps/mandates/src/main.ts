import { runService } from '@fundrail/service-kit';
import { mandatesService } from './index.ts';

await runService(mandatesService);
