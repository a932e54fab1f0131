import { Context, Data, type Effect } from "effect"

/** The key management cannot be reached, or its answer cannot be used. The reason is shown to operators: it must not contain a secret. */
export class KeyManagementUnavailable extends Data.TaggedError("KeyManagementUnavailable")<{ readonly reason: string }> {
  override get message() {
    return `Key management cannot be used (${this.reason}; key_management names it).`
  }
}

/**
 * The key management refused: the credentials, the key, the context or the wrapped text is wrong. The reason is shown to operators: it must
 * not contain a secret.
 */
export class KeyManagementRefused extends Data.TaggedError("KeyManagementRefused")<{ readonly reason: string }> {
  override get message() {
    return `key_management: ${this.reason}`
  }
}

export type KeyManagementFault = KeyManagementUnavailable | KeyManagementRefused

/**
 * Wraps (encrypts) secrets under a key that another system keeps. The context is authenticated, and not secret: a text that was wrapped
 * with one context is refused with another.
 */
export class KeyManagement extends Context.Service<
  KeyManagement,
  {
    /** The wrapped form, as printable ASCII without blanks. It names the kind of key management that made it. */
    wrap(secret: Uint8Array, context: string): Effect.Effect<string, KeyManagementFault>
    /** The secret again, also if the key got newer versions since then. */
    unwrap(wrapped: string, context: string): Effect.Effect<Uint8Array, KeyManagementFault>
    /** Succeeds with a description of the key if it can be used. */
    readonly health: Effect.Effect<string, KeyManagementFault>
  }
>()("sallyport/KeyManagement") {}
