import { Effect, Fiber } from "effect"
import type { OpenStream, StreamEvent } from "../../../application/service/streams/reader.ts"
import type { AuthError } from "../../../domain/errors.ts"
import { Store } from "../../../domain/ports/store.ts"
import { Caller } from "../../../domain/sessions/caller.ts"
import { type browser, Service } from "../../world.ts"

// Streams of events in the process of a test.

type Sent = Partial<Pick<Caller["Service"], "authorization" | "api_key">>
type Browser = Pick<ReturnType<typeof browser>, "jar" | "body" | "code">

/** Opens a stream as the user of a browser, or as a program with these header fields. */
export const opened = Effect.fnUntraced(function* (name: string, { jar }: Pick<Browser, "jar">, input: unknown = {}, sent: Sent = {}) {
  const auth = yield* Service
  const stream = auth.streams.find((each) => each.name === name)
  if (stream === undefined) return yield* Effect.die(new Error(`no stream ${name}`))
  const caller = { ...jar, authorization: null, api_key: null, accept: null, dpop: null, client_certificate: null, ...sent }
  const open = Effect.flatMap(auth.viewer, ({ body }) => auth.open(stream, body, input))
  return yield* Effect.provideService(open, Caller, caller) as Effect.Effect<OpenStream, AuthError>
})
export const refusal = (open: ReturnType<typeof opened>) => Effect.map(Effect.flip(open), (error) => error._tag)
export const poll = Effect.flatMap(Service, (auth) => auth.poll)

/** Polls, and returns the types of the events that have arrived, and how the stream ended if it did. */
export const arrived = Effect.fnUntraced(function* ({ next }: OpenStream, only: (event: StreamEvent) => unknown = typeOf) {
  yield* poll
  const found: Array<unknown> = []
  while (true) {
    const fiber = yield* Effect.forkChild(Effect.exit(next), { startImmediately: true })
    // Events of the log need a read of the store.
    const { ping } = yield* Store
    for (let turn = 0; turn < 30; turn++) yield* ping
    if (fiber.pollUnsafe() === undefined) {
      yield* Fiber.interrupt(fiber)
      return found
    }
    const result = yield* Fiber.join(fiber)
    if (result._tag === "Failure") return [...found, yield* Effect.map(Effect.flip(result), ({ _tag }) => _tag)]
    if (result.value === undefined) return [...found, "stopped"]
    found.push(only(result.value))
  }
})
const typeOf = ({ value }: StreamEvent) => (value as { readonly type: string }).type
