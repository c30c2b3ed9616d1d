/** By which operations each page of settings changes what it shows, in the order in which that stands there. */
import type { Name } from "@kbwork/client";
import type { s } from "./texts.ts";

export const OPERATIONS: Readonly<Record<keyof typeof s.places, readonly [Name, ...Name[]]>> = {
  start: ["projects.create", "invites.create", "projects.delete"],
  org: ["org.update", "org.logo_set", "org.banner_set", "org.modules_set"],
  import: ["imports.open", "imports.probe", "imports.map_set", "imports.run", "imports.cancel", "imports.undo"],
  members: ["members.update", "members.deactivate", "members.owner_transfer", "members.erase", "auth.session_revoke"],
  invites: ["invites.create", "invites.resend", "invites.revoke"],
  teams: ["teams.save", "teams.member_set", "sprints.cadence_set", "teams.delete"],
  projects: [
    "projects.create", "projects.update", "projects.member_set", "types.projects_set", "sprints.cadence_set",
    "projects.archive", "projects.key_change", "projects.delete",
  ],
  types: ["types.save", "types.delete"],
  lanes: ["lanes.save", "lanes.reorder", "lanes.delete"],
  workflows: ["workflows.save", "workflows.copy", "workflows.assign", "workflows.delete"],
  fields: ["fields.save", "fields.options_set", "fields.delete"],
  labels: ["labels.save", "labels.merge", "labels.delete"],
  components: ["components.save", "components.delete"],
  templates: ["issues.template_save", "issues.template_delete"],
  checklists: ["checklists.template_save", "checklists.template_delete"],
  desk: [
    "desk.save", "desk.request_type_save", "desk.request_type_delete", "desk.queue_save", "desk.queue_delete",
    "desk.reply_save", "desk.reply_delete", "desk.customer_add", "desk.customer_block", "desk.customer_reset",
    "desk.email_address",
  ],
  rules: ["automation.save", "automation.run", "automation.delete"],
  reports: ["analytics.report_save", "analytics.report_run", "analytics.report_delete", "analytics.export"],
  webhooks: ["webhooks.save", "webhooks.test", "webhooks.rotate_secret", "webhooks.redeliver", "webhooks.delete"],
  chats: [
    "chat.connection_save", "chat.connection_delete", "chat.subscription_save", "chat.subscription_test",
    "chat.subscription_delete", "members.chat_link", "members.chat_unlink",
  ],
  mail: [
    "mail.sender_set", "mail.retry", "mail.suppressed", "mail.mailbox_save", "mail.mailbox_test", "mail.mailbox_delete",
    "mail.template_save",
  ],
  ai: [
    "ai.policy_set", "ai.provider_save", "ai.provider_models", "ai.provider_delete", "ai.key_set", "ai.key_revoke",
    "ai.profile_save", "ai.profile_delete",
  ],
  "sign-in": ["auth.policy_set", "auth.provider_save", "auth.provider_delete"],
  programs: ["keys.revoke", "auth.grant_revoke"],
  audit: ["audit.list", "audit.export"],
  backups: [
    "backups.create", "backups.schedule_set", "backups.verify", "backups.fetch", "backups.restore", "backups.delete",
  ],
  trash: ["trash.restore", "trash.purge", "trash.empty"],
  jobs: ["jobs.list", "jobs.cancel"],
  health: ["maintenance.check", "org.clock_confirm"],
};
