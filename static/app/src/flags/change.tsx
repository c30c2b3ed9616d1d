export function ChangePage(_: any) { return null; }
