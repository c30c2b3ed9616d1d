export function FlagSettings(_: any) { return null; }
