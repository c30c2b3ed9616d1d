/** Bundles a page with the packages beside it, as they are while one develops: `node bundle.mjs PAGE OUT`. */
import { build } from "esbuild";

const [page, outfile] = process.argv.slice(2);
const define = { "process.env.NODE_ENV": '"development"' };
await build({ entryPoints: [page], outfile, bundle: true, format: "esm", target: "es2022", define, logLevel: "warning" });
