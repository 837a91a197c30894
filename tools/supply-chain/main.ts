import { writeFileSync } from 'node:fs';
import { endWithHelp, refuseArguments } from '../../apps/standalone/src/usage.ts';
import { billOfMaterials } from './sbom.ts';

// `npm run sbom`
const FILE = 'sbom.cdx.json';
endWithHelp(`npm run sbom   writes ${FILE}, the CycloneDX list of what runs in the product`);
const [unknown] = process.argv.slice(2);
if (unknown !== undefined) refuseArguments('sbom', `not understood: ${unknown}`);
const bill = billOfMaterials();
writeFileSync(FILE, `${JSON.stringify(bill, null, 2)}\n`);
process.stdout.write(`${FILE}: ${bill.components.length} packages\n`);
