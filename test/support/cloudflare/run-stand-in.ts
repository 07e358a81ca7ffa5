/** `npm run stand-in`: Cloudflare's API on this machine, for deploying and publishing by hand without an account. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setUp } from './remote-config.ts';
import { CloudflareStandIn } from './stand-in.ts';

const folder = resolve(import.meta.dirname, '../../../dist/stand-in');
await mkdir(folder, { recursive: true });
const standIn = await CloudflareStandIn.start();
const variables = await setUp(standIn, folder);
const lines = Object.entries(variables).map(([name, value]) => `  export ${name}="${value}"`);
console.log(`A stand-in of Cloudflare's API, in which staging is set up. Paste into another terminal:

${lines.join('\n')}

Ctrl-C stops it, and it forgets what it has stored.`);
