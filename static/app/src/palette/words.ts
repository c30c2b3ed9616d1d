/** The words of the palette. */
export const words = {
  noOperations: "The server does not say which operations it has.",
} as const;
