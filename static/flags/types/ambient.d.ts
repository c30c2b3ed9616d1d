/** What the types of OpenFeature's server SDK name of Node; not handed out. */
declare module "node:events" {
  export type EventEmitter<_ = unknown> = any;
}
