export type { Client, ClientOptions } from "./client.ts"
export { createClient } from "./client.ts"
export type {
  CallOptions,
  ClientCode,
  CommonCode,
  Failure,
  NoInput,
  Operation,
  OperationsOf,
  OptionalOperation,
  Result,
  TokenStore,
} from "./http.ts"
export type * from "./operations.ts"
export type { PasskeyCode } from "./passkeys.ts"
export { addPasskey, signInWithPasskey } from "./passkeys.ts"
export type { SessionOf } from "./session.ts"
export type { SessionState, SessionStore } from "./session-store.ts"
