/** The words of what stands around an issue. */
export const w = {
  flags: "Flags",
  mentions: "Pages that name it",
  on: "on",
  off: "off",
  does: {
    viewing: (who: string) => `${who} looks at it`,
    editing: (who: string) => `${who} writes on it`,
    replying: (who: string) => `${who} writes a comment`,
  },
} as const;
