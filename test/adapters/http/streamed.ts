import { type IncomingMessage, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { assert } from "@effect/vitest"
import { Clock, Duration, Effect, Layer } from "effect"
import { pausing } from "../../pauses.ts"
import { port } from "./served.ts"

/** Reads the log ten times a second instead of once. Other pauses stay: those that wait for a slow client, and between heartbeats. */
export const quickly = Layer.effect(
  Clock.Clock,
  Clock.clockWith((clock) =>
    Effect.succeed(pausing(clock, (duration) => clock.sleep(Duration.toSeconds(duration) === 1 ? Duration.millis(100) : duration))),
  ),
)

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** Of the real clock: the connection knows no other. */
const pause = Effect.promise(() => setTimeout(50))

/** Opens a stream of server-sent events. The connection is closed at the end of the test. */
export const streamed = Effect.fnUntraced(function* ({ body, headers, ...asked }: Asked) {
  const options = { host: "127.0.0.1", port: yield* port, agent: false, headers: { accept: "text/event-stream", ...headers }, ...asked }
  const response = yield* Effect.callback<IncomingMessage>((resume) => {
    const sent = request(options, (answer) => resume(Effect.succeed(answer)))
    sent.on("error", () => {})
    sent.end(body)
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => response.destroy()))
  let text = ""
  let isClosed = false
  response.setEncoding("utf8").on("data", (chunk) => (text += chunk))
  response.on("error", () => {}).on("close", () => (isClosed = true))
  const until = (condition: () => boolean) =>
    Effect.gen(function* () {
      for (let turn = 0; turn < 1200 && !condition(); turn++) yield* pause
      assert.isTrue(condition(), `the stream so far: ${text.slice(0, 500)}`)
      return text
    })
  return {
    response,
    status: response.statusCode,
    said: () => text,
    until,
    shows: (part: string) => until(() => text.includes(part)),
    closed: until(() => isClosed),
  }
})
