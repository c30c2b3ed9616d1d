/** The words of what people say, and of where they write it. */

export const words = {
  attached: (name: string) => `Attached ${name}`,
  sending: (name: string, percent: number) => `${name}: ${percent} %`,
  stop: "Stop",
  reply: "Reply",
  react: "React",
  reaction: (emoji: string, names: string) => `${emoji} by ${names}`,
  edit: "Edit",
  remove: "Delete",
  resolve: "Resolve",
  reopen: "Open again",
  resolved: (who: string) => `Resolved by ${who}`,
  showResolved: "Show",
  edited: "edited",
  gone: "This comment was deleted.",
  internal: "Internal note",
  internalWhat: "Only the team sees an internal note: guests and customers never do.",
  sendInternal: "Add internal note",
  writeReply: "Write a reply",
  customer: "Customer",
  aCustomer: "a customer",
  who: "Who reads it",
  replyTo: (name: string) => `Reply to ${name}`,
  replyWhat: "Customers of this request read it and are mailed. It cannot be taken back.",
  sendReply: (name: string) => `Send to ${name}`,
  goesLater: (name: string, at: string) => `Send to ${name} ${at}`,
  sentLater: (name: string, at: string) => `It goes to ${name} ${at}: until then it is a note that can be taken back`,
  sent: (name: string) => `Sent to ${name}`,
  writeInternal: "Write an internal note",
  commentOn: (key: string) => `Comment on ${key}`,
  notSent: "Not sent: the server does not answer. Your words stay here.",
  format: "Markdown, @ for people, / for more",
  forms: {
    heading: "Heading", list: "List", numbers: "Numbered list", tasks: "Task list", quote: "Quote", code: "Code", table: "Table", divider: "Line across",
    folded: "Folded part",
  },
  preview: "Preview",
  write: "Write",
} as const;

/** With the words by which they are found. */
export const EMOJI = [
  ["👍", "Thumbs up"], ["❤️", "Heart"], ["🎉", "Hooray"], ["😄", "Laugh"], ["😕", "Confused"], ["👀", "Looking"], ["🚀", "Rocket"],
  ["👎", "Thumbs down"],
] as const;
