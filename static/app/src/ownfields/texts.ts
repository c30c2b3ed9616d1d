/** The words of setting own fields. */

export const words = {
  noNumber: "This is no number.",
  noDuration: "Say it in hours and minutes, such as 1 h 30 min.",
  noMoney: "Say it with its currency, such as 12.50 EUR.",
  which: "Own field",
  empty: (name: string) => `Empty ${name}`,
  changed: "Somebody else changed this meanwhile. Yours takes its place if you save.",
} as const;
