export function Environments(_: any) { return null; }
