// The service as a library: `import { sallyport } from "sallyport"` (README.md, "In your own server").
//
// The types of this file do not use those of Effect: every application would compile them.

import * as Faults from "./adapters/configuration-faults.ts"
import * as Delivery from "./domain/ports/delivery.ts"
import * as KeyManagement from "./domain/ports/key-management.ts"
import * as Store from "./domain/ports/store.ts"

export type { Call, CallError, CallOptions, CallResult, WaitUntil } from "./adapters/assembly/call.ts"
export type { Calls } from "./adapters/assembly/enabled-calls.ts"
export { type NodeRequest, type NodeResponse, nodeHandler } from "./adapters/assembly/node-handler.ts"
export { type Enabling, type Sallyport, sallyport } from "./adapters/assembly/own-server.ts"
export { defineConfig, type Input as SallyportConfiguration } from "./adapters/config/input.ts"
export { keptSecret } from "./adapters/config/kept-secret.ts"
export type { Answer, AnyOwnStore, OwnClock, OwnHttpClient, OwnMailer, OwnSmsSender } from "./adapters/own/ports.ts"
export type { Wire } from "./application/modules/wire.ts"
export type { Mail, Sms } from "./domain/ports/messages.ts"

/** A class of errors. */
type ErrorClass<Tag extends string, Members> = new (members: Members) => Error & { readonly _tag: Tag } & Members

/** The configuration is invalid; one line per fault. */
export const ConfigurationFault: ErrorClass<"ConfigurationFault", { readonly faults: ReadonlyArray<string> }> = Faults.ConfigurationFault
export type ConfigurationFault = InstanceType<typeof ConfigurationFault>

/**
 * A message was not accepted. `permanent` when a retry cannot succeed (SMTP 5xx). The reason is logged and stored: it must not contain the
 * message or its recipient. `ofMessage`: only this message was refused, so others need not wait.
 */
export const DeliveryRefused: ErrorClass<
  "DeliveryRefused",
  { readonly permanent: boolean; readonly reason: string; readonly ofMessage?: boolean }
> = Delivery.DeliveryRefused
export type DeliveryRefused = InstanceType<typeof DeliveryRefused>

/** The reason is shown to operators: it must not contain a secret. */
type WithReason<Tag extends string> = ErrorClass<Tag, { readonly reason: string }>
export const KeyManagementRefused: WithReason<"KeyManagementRefused"> = KeyManagement.KeyManagementRefused
export type KeyManagementRefused = InstanceType<typeof KeyManagementRefused>
export const KeyManagementUnavailable: WithReason<"KeyManagementUnavailable"> = KeyManagement.KeyManagementUnavailable
export type KeyManagementUnavailable = InstanceType<typeof KeyManagementUnavailable>

/** A row has changed since the revision that a write is conditional on. */
export const Conflict: ErrorClass<"Conflict", { readonly table: string }> = Store.Conflict
export type Conflict = InstanceType<typeof Conflict>
/** Another row already has a value that must be unique. */
export const Taken: ErrorClass<"Taken", { readonly table: string; readonly field: string }> = Store.Taken
export type Taken = InstanceType<typeof Taken>
/** The store cannot be reached or did not answer in time. `isFinal`: waiting does not help. */
export const StoreUnavailable: ErrorClass<
  "StoreUnavailable",
  { readonly cause: unknown; readonly isFinal?: boolean; readonly message?: string }
> = Store.StoreUnavailable
export type StoreUnavailable = InstanceType<typeof StoreUnavailable>
