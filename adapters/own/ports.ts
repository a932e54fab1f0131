import type { Mail, Sms } from "../../domain/ports/messages.ts"

// The types of an application's own ports, without those of Effect, which an application would compile.

/** An effect of the package `effect`, of which only the value matters here. */
interface AnEffect<A> {
  readonly pipe: (...steps: never) => unknown
  [Symbol.iterator](): Iterator<unknown, A, never>
}

/** The result of a method of an own port: a promise or an effect. A rejection is the effect's failure. */
export type Answer<A> = Promise<A> | AnEffect<A>

/** Your own clock, as `clock` in the configuration, for example a test clock. */
export interface OwnClock {
  /** Milliseconds since 1970, or a date. Determines expiries and budgets. Pauses between background work use the system's clock. */
  now(): number | Date
}

/** Your own HTTP client, as `http` in the configuration: for providers, gateways and the check for breached passwords. */
export interface OwnHttpClient {
  /** Sends the request and resolves with the response as it is. `request.redirect` is `manual`: a followed redirect could leave the configured host. */
  fetch(request: Request): Answer<Response>
}

/** Your own mailer, as `mail` in the configuration. */
export interface OwnMailer {
  readonly kind?: undefined
  /**
   * Delivers one mail. After a rejection the outbox tries again later, unless the error's `permanent` is true. The messages of errors other
   * than `DeliveryRefused` are not logged. The signal aborts after 30 seconds; at most eight mails are sent at once.
   */
  send(mail: Mail, signal: AbortSignal): Answer<void>
}

/** Your own sender of short messages, as `sms` in the configuration. */
export interface OwnSmsSender {
  readonly kind?: undefined
  /** Delivers one message, under the same conditions as `OwnMailer.send`. */
  send(sms: Sms, signal: AbortSignal): Answer<void>
}

/** Your own store, as `store` in the configuration. `OwnStore` of `sallyport/testing` has the types of its tables and rows. */
export interface AnyOwnStore {
  readonly kind?: undefined
  open?(tables: ReadonlyArray<any>): Answer<void>
  read(table: any, where: any): Answer<any>
  readWithReferenced(table: any, where: any, field: string): Answer<any>
  readWithReferencing(table: any, where: any, other: any, field: string, rest: any): Answer<any>
  list(table: any, where: any, options: any): Answer<ReadonlyArray<any>>
  listForEach(table: any, field: string, values: ReadonlyArray<string>, options: any): Answer<ReadonlyArray<ReadonlyArray<any>>>
  take(table: any, where: any): Answer<any>
  commit(writes: ReadonlyArray<any>): Answer<void>
  sweep(now: Date, limit: number): Answer<number>
  ping(): Answer<void>
  close?(): Answer<void>
}
