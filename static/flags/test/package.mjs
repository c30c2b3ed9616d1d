/** What publint and attw say against a package, a line each: `node package.mjs FILE`. Nothing where all is well. */
import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const packed = new Uint8Array(await readFile(process.argv[2]));
const { messages, pkg } = await publint({ pack: { tarball: packed.buffer }, strict: true });
for (const message of messages) console.log("publint:", formatMessage(message, pkg));

const { problems = [], types } = await checkPackage(createPackageFromTarballData(packed));
if (!types) console.log("attw: there are no types");
// The package is of modules alone, so programs that `require` get a module, and old ones that know no `exports` nothing.
const ours = problems.filter(({ kind, resolutionKind }) => kind !== "CJSResolvesToESM" && resolutionKind !== "node10");
for (const { kind, entrypoint, resolutionKind } of ours) console.log("attw:", kind, entrypoint ?? "", resolutionKind ?? "");
