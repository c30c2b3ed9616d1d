/** How often which variation was served in an environment. */
import type { Environment, Flag } from "@kbwork/client";
import { server } from "../store/server.ts";
import { number } from "../ui/texts.ts";
import { useAsked } from "./asked.ts";
import { VariationName } from "./parts.tsx";
import { t } from "./texts.ts";

const HOURS = 24;

export function Served({ flag, environment }: { flag: Flag; environment: Environment }) {
  const where = { project: flag.project, key: flag.key, environment: environment.key };
  const found = useAsked(`insights ${flag.project} ${flag.key} ${environment.key}`, () => server.flags.insights({ ...where, hours: HOURS })).data;
  if (!found?.series.length) return null;
  const sums = new Map<number | null, number>();
  for (const { variation, count } of found.series) sums.set(variation, (sums.get(variation) ?? 0) + count);
  const most = Math.max(...sums.values());
  return (
    <section class="result" aria-label={t.byVariation}>
      <h3 class="meta">{t.byVariation}</h3>
      <ul class="served-by">
        {[...sums].sort(([, one], [, other]) => other - one).map(([variation, sum]) => (
          <li key={variation} class="bar">
            <span class="grow cut"><VariationName flag={flag} at={variation} /></span>
            <meter aria-hidden="true" min={0} max={most} value={sum} />
            <span class="meta">{number(sum)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
