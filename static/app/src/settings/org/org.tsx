/** The org itself: what it is called, where and how it counts, what new things begin with, and what is kept how long. */
import type { Org, OrgUpdate } from "@kbwork/client";
import { server } from "../../store/server.ts";
import { tables } from "../../store/tables.ts";
import { act } from "../parts/act.ts";
import { useAsked } from "../parts/asked.ts";
import { type FormField, lines } from "../parts/field.tsx";
import { Form, type Values } from "../parts/form.tsx";
import { onlyAdmins, Page as Frame, Section, Told } from "../parts/page.tsx";
import { s } from "../texts.ts";
import { Logo } from "./logo.tsx";
import { Modules } from "./modules.tsx";

const [TITLE, WHAT] = s.places.org;
const w = s.org;
const RETENTION = ["audit_days", "trash_days", "events_days", "attachments_days"] as const;

export function Page() {
  const asked = useAsked(() => server.org.get());
  const shut = onlyAdmins();
  return (
    <Frame title={TITLE} what={WHAT} shut={shut}>
      <Told asked={asked}>
        {(org) => (
          <>
            <General org={org} shut={shut} />
            <Banner org={org} shut={shut} />
            {!shut && <Logo org={org} />}
            <Modules org={org} shut={shut} />
          </>
        )}
      </Told>
    </Frame>
  );
}

interface PartProps {
  readonly org: Org;
  readonly shut: string | undefined;
}

function General({ org, shut }: PartProps) {
  const fields: FormField[] = [
    { name: "name", label: w.name, required: true, max: 500 },
    { name: "slug", label: w.slug, hint: w.slugWhat, max: 60 },
    { name: "zone", label: w.zone, kind: "choice", choices: zones(org.zone) },
    { name: "locale", label: w.locale, hint: w.localeWhat, max: 35 },
    { name: "week_start", label: w.weekStart, kind: "choice", choices: w.weekDays.map((title, at) => ({ value: String(at), title })) },
    { name: "default_role", label: w.defaultRole, kind: "choice", hint: w.defaultRoleWhat, choices: (["member", "guest"] as const).map((value) => ({ value, title: s.roles[value] })) },
    { name: "guests", label: w.guests, kind: "check" },
    { name: "public_links", label: w.publicLinks, kind: "check" },
    { name: "visibility", label: w.visibility, kind: "choice", hint: w.visibilityWhat, choices: (["org", "members", "private"] as const).map((value) => ({ value, title: s.projects.visibilities[value] })) },
    { name: "types", label: w.types, kind: "many", hint: w.typesWhat, choices: tables.type.all().map(({ key, name }) => ({ value: key, title: name })) },
    ...(shut ? [] : RETENTION.map<FormField>((name) => ({ name, label: w.retention[name], kind: "number", hint: w.forEver }))),
    ...(shut ? [] : [{ name: "allowed_files", label: w.files, kind: "lines", hint: w.filesWhat, placeholder: ".pdf\nimage/*" } as const]),
  ];
  return (
    <Form
      name="settings.org"
      fields={fields}
      value={valuesOf(org)}
      fresh={async () => valuesOf(await server.org.get())}
      submit={s.save}
      shut={shut}
      onSave={(changes) => act("org.update", update(changes), { said: w.changed, undo: true })}
    />
  );
}

function valuesOf(org: Org): Values {
  const { visibility, types } = org.issue_defaults as { visibility?: string; types?: string[] };
  return {
    name: org.name, slug: org.slug, zone: org.zone, locale: org.locale, week_start: String(org.week_start), default_role: org.default_role,
    guests: org.guests, public_links: org.public_links, visibility: visibility ?? "org", types: types ?? [], allowed_files: org.allowed_files,
    ...Object.fromEntries(RETENTION.map((name) => [name, org.retention[name] ?? null])),
  };
}

/** The changes as `org.update` takes them. */
function update(changes: Values): OrgUpdate {
  const { visibility, types, week_start, allowed_files, ...rest } = changes;
  const found: Record<string, unknown> = {};
  const retention: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if ((RETENTION as readonly string[]).includes(name)) retention[name] = value;
    else found[name] = value;
  }
  if (Object.keys(retention).length) found["retention"] = retention;
  if (week_start !== undefined) found["week_start"] = Number(week_start);
  if (allowed_files !== undefined) found["allowed_files"] = lines(allowed_files);
  if (visibility !== undefined || types !== undefined) {
    found["issue_defaults"] = { ...(visibility !== undefined && { visibility }), ...(types !== undefined && { types }) };
  }
  return found as OrgUpdate;
}

function zones(now: string): { value: string; title: string }[] {
  const known = Intl.supportedValuesOf("timeZone");
  return [...new Set(["UTC", now, ...known])].map((value) => ({ value, title: value.replaceAll("_", " ") }));
}

function Banner({ org, shut }: PartProps) {
  const value = { text: org.banner?.text ?? "", level: org.banner?.level ?? "info" };
  return (
    <Section title={w.banner} what={w.bannerWhat}>
      <Form
        name="settings.org.banner"
        fields={[
          { name: "text", label: w.bannerText, kind: "area", max: 2000 },
          { name: "level", label: w.bannerLevel, kind: "choice", choices: [{ value: "info", title: w.info }, { value: "warning", title: w.warning }] },
        ]}
        value={value}
        submit={s.save}
        shut={shut}
        onSave={(_, all) => act("org.banner_set", { text: String(all["text"] ?? ""), level: all["level"] === "warning" ? "warning" : "info" }, { said: w.bannerChanged, undo: true })}
      />
    </Section>
  );
}
