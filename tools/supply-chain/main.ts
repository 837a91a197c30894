import { writeFileSync } from 'node:fs';
import { billOfMaterials } from './sbom.ts';

// `npm run sbom`
const FILE = 'sbom.cdx.json';
const bill = billOfMaterials();
writeFileSync(FILE, `${JSON.stringify(bill, null, 2)}\n`);
process.stdout.write(`${FILE}: ${bill.components.length} packages\n`);
