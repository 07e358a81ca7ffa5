/**
 * The software bill of materials of what is deployed: CycloneDX, made by `npm sbom` and cut down to the
 * packages that are in the Worker and in the pages. A package that only builds or tests is none of
 * them; one that is bundled into a page is, although npm counts it among the development dependencies.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { bundledPackages } from '../../web/build/bundled-packages.ts';
import { PACKAGES_FILE } from '../../web/build/site-folder.ts';
import { CommandError } from '../cli/command-error.ts';
import { messageOf } from '../cli/describe-error.ts';
import { PROJECT_FOLDER } from '../cli/platform.ts';

/** The part of a CycloneDX document that is read here; the rest passes through. */
interface CycloneDx {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface PackageManifest {
  readonly name: string;
  readonly version: string;
}

/** Much more than npm prints. */
const LONGEST_OUTPUT = 1 << 26;

/**
 * @param metafile what esbuild tells of the Worker
 * @returns where it was written, and how many packages it names
 * @throws CommandError bill_of_materials_failed; wrangler has done its work by then
 */
export async function writeBillOfMaterials(metafile: string, folder: string) {
  try {
    const worker = bundledPackages(JSON.parse(await readFile(metafile, 'utf8')) as Metafile);
    const pages = JSON.parse(await readFile(PACKAGES_FILE, 'utf8')) as string[];
    const names = await Promise.all([...new Set([...worker, ...pages])].map(referenceOf));
    const bill = cutDown(await askNpm(), new Set(names), await manifestOf('.'));
    const file = join(folder, 'sbom.cdx.json');
    await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`);
    return { file, components: bill.components.length };
  } catch (cause) {
    const reason = messageOf(cause);
    // What npm says has several lines, an error of ours has one.
    const line = reason.trim().replaceAll(/\s*\n\s*/g, ' ');
    const message = `wrangler is done, but the bill of materials could not be made: ${line}`;
    throw new CommandError(message, { code: 'bill_of_materials_failed', cause });
  }
}

/** The packages `names` alone, and what they need of each other. @throws when one of them is missing */
function cutDown(
  whole: CycloneDx,
  names: ReadonlySet<string>,
  project: PackageManifest,
): CycloneDx {
  const components = whole.components.filter((component) => names.has(component['bom-ref']));
  const found = new Set(components.map((component) => component['bom-ref']));
  const missing = [...names].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`npm sbom does not name ${missing.join(', ')}`);
  const own = whole.metadata.component['bom-ref'];
  return {
    ...whole,
    // npm takes the name of the folder that the project lies in.
    metadata: { ...whole.metadata, component: { ...whole.metadata.component, name: project.name } },
    components,
    dependencies: whole.dependencies
      .filter(({ ref }) => ref === own || found.has(ref))
      .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((name) => found.has(name)) })),
  };
}

async function askNpm(): Promise<CycloneDx> {
  // By the lock file; that the bundles are made of the same versions shows when they are looked for.
  const order = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', order, {
    cwd: PROJECT_FOLDER,
    maxBuffer: LONGEST_OUTPUT,
    // npm is a batch file on Windows, which only a shell runs.
    shell: process.platform === 'win32',
  });
  return JSON.parse(stdout) as CycloneDx;
}

/** What npm calls the package in `folder` of the project. */
async function referenceOf(folder: string): Promise<string> {
  const { name, version } = await manifestOf(folder);
  return `${name}@${version}`;
}

async function manifestOf(folder: string): Promise<PackageManifest> {
  const text = await readFile(resolve(PROJECT_FOLDER, folder, 'package.json'), 'utf8');
  return JSON.parse(text) as PackageManifest;
}
