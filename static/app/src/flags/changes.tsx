export function Changes(_: any) { return null; }
