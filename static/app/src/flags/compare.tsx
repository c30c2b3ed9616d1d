export function CompareFlag(_: any) { return null; } export function CompareProject(_: any) { return null; }
