export function History(_: any) { return null; }
