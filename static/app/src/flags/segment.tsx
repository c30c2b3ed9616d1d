export function SegmentPage(_: any) { return null; }
