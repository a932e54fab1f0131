import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin } from "../../../application/modules/admin/index.ts"
import { audit } from "../../../application/modules/audit/index.ts"
import { Records } from "../../../application/modules/audit/tables.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import { newId } from "../../../domain/storage/new-id.ts"
import { core, times } from "../../world.ts"
import { post, signedUp } from "../http/served.ts"
import { quickly, streamed as streamedFrom } from "../http/streamed.ts"
import { codes, graphqlServed, query, sent } from "./request.ts"

const log = audit.build(Schema.decodeUnknownSync(audit.settings)({}))
const administration = admin.build({ admin_emails: ["root@example.com", "boss@example.com"], admin_user_ids: [], jobs: true })
const modules = [...core, administration, log]

const server = () => graphqlServed({ modules, background: true, instead: quickly })

const own = "subscription { sessionEvents { type isCurrent } }"
const all = "subscription ($input: AdminAuditEventsInput) { adminAuditEvents(input: $input) { id type data } }"

interface Streaming {
  readonly query?: string
  readonly variables?: object
  readonly documentId?: string
  readonly headers?: Record<string, string>
}

/** Opens a subscription. */
const streamed = ({ query = own, variables = {}, documentId, headers = {} }: Streaming) =>
  streamedFrom({
    method: "POST",
    path: "/graphql",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(documentId === undefined ? { query, variables } : { documentId }),
  })

const signedIn = (email: string) => post("/sign-in/email", { email, password: "correct horse battery staple" })

describe("a subscription over server-sent events", () => {
  layer(server(), { excludeTestServices: true })((it) => {
    it.effect("sends the events of the caller's sessions, and ends with the caller's own session", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const stream = yield* streamed({ headers: ada })
        assert.strictEqual(stream.response.headers["content-type"], "text/event-stream; charset=utf-8")
        assert.strictEqual(stream.response.headers["cache-control"], "no-store")
        yield* stream.shows(":\n\n")
        yield* signedIn("ada@example.com")
        const text = yield* stream.shows("event: next")
        assert.match(
          text,
          /\n\nid: [0-9a-f-]{36}\nevent: next\ndata: \{"data":\{"sessionEvents":\{"type":"SESSION_OPENED","isCurrent":false\}\}\}\n\n$/,
        )
        yield* post("/revoke-sessions", {}, { headers: ada })
        yield* stream.closed
        const [, , ...rest] = stream.said().split("\n\n")
        assert.include(rest.join(), '{"type":"SESSION_REVOKED","isCurrent":true}')
        assert.deepStrictEqual(rest.slice(-2), ["event: complete\ndata: ", ""])
        const last = JSON.parse(rest.at(-3)!.split("data: ")[1]!)
        assert.deepInclude(last.errors[0].extensions, { code: "unauthorized", status: 401 })
      }),
    )

    it.effect("resumes after the id in Last-Event-ID", () =>
      Effect.gen(function* () {
        const eve = yield* signedUp("eve@example.com")
        const first = yield* streamed({ headers: eve })
        yield* signedIn("eve@example.com")
        const [, id = ""] = /id: (\S+)\n/.exec(yield* first.shows("event: next")) ?? []
        first.response.destroy()
        yield* post("/revoke-other-sessions", {}, { headers: eve })
        const second = yield* streamed({ headers: { ...eve, "last-event-id": id } })
        const text = yield* second.shows("SESSION_REVOKED")
        assert.notInclude(text, id)
      }),
    )

    it.effect("is complete with the last state of a job", () =>
      Effect.gen(function* () {
        const boss = yield* signedUp("boss@example.com")
        const { job } = (yield* post("/admin/jobs/create", { operation: "ban", user_ids: ["unknown"] }, { headers: boss })).json
        const progress = "subscription ($input: JobProgressInput!) { jobProgress(input: $input) { state failed } }"
        const stream = yield* streamed({ query: progress, variables: { input: { jobId: job.id } }, headers: boss })
        yield* stream.closed
        const [last, complete, end] = stream.said().split("\n\n").slice(-3)
        assert.strictEqual(last, 'event: next\ndata: {"data":{"jobProgress":{"state":"SUCCEEDED","failed":1}}}')
        assert.deepStrictEqual([complete, end], ["event: complete\ndata: ", ""])
      }),
    )

    it.effect("is refused with a status, before a stream begins", () =>
      Effect.gen(function* () {
        const bob = yield* signedUp("bob@example.com")
        const refusals = [
          yield* streamed({}),
          yield* streamed({ query: all, headers: bob }),
          yield* streamed({ query: all, variables: { input: { types: ["UNKNOWN"] } }, headers: bob }),
          yield* streamed({ headers: { ...bob, "last-event-id": "1" } }),
          yield* streamed({ query: "{ viewer { user { id } } }", headers: bob }),
          yield* streamed({ headers: { ...bob, accept: "application/json" } }),
        ]
        assert.deepStrictEqual(
          refusals.map(({ status }) => status),
          [401, 403, 400, 400, 406, 406],
        )
        assert.deepStrictEqual(codes(yield* query(own, {}, { headers: bob })), ["not_acceptable"])
        assert.deepStrictEqual(
          codes(yield* query("subscription { a: sessionEvents { id } b: sessionEvents { id } }", {}, { headers: bob })),
          ["invalid_request"],
        )
      }),
    )

    it.effect("closes at a disconnection, so that the session can open another stream", () =>
      Effect.gen(function* () {
        const dan = yield* signedUp("dan@example.com")
        const streams = yield* Effect.all(times(5, () => streamed({ headers: dan })))
        assert.strictEqual((yield* streamed({ headers: dan })).status, 429)
        streams[0]!.response.destroy()
        yield* Effect.sleep(300)
        assert.strictEqual((yield* streamed({ headers: dan })).status, 200)
      }),
    )

    it.effect("disconnects a client that does not read, and no other one", () =>
      Effect.gen(function* () {
        const root = yield* signedUp("root@example.com")
        const variables = { input: { types: ["AUDIT_SEALED"] } }
        const quick = yield* streamed({ query: all, variables, headers: root })
        const slow = yield* streamed({ query: all, variables, headers: root })
        slow.response.pause()
        const eventsOf = (text: string) => text.match(/event: next/g)?.length ?? 0
        for (let batch = 0; batch < 5; batch++) {
          yield* added(500)
          yield* quick.until(() => eventsOf(quick.said()) === 500 * (batch + 1))
        }
        slow.response.resume()
        yield* slow.closed
        assert.isBelow(eventsOf(slow.said()), 1500)
        assert.notInclude(slow.said(), "event: complete")
        assert.strictEqual((yield* sent({ query: "{ viewer { user { id } } }" }, { headers: root })).status, 200)
      }),
    )
  })
})

describe("with trusted documents", () => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "documents.json")
  writeFileSync(file, JSON.stringify({ own }))

  layer(graphqlServed({ modules, graphql: { trusted_documents: file } }), { excludeTestServices: true })((it) => {
    it.effect("only a trusted subscription runs", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        assert.strictEqual((yield* streamed({ headers: ada })).status, 400)
        assert.strictEqual((yield* streamed({ documentId: "own", headers: ada })).status, 200)
      }),
    )
  })
})

describe("without a module that declares streams", () => {
  layer(graphqlServed(), { excludeTestServices: true })((it) => {
    it.effect("a request that accepts only server-sent events is refused", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* streamed({})).status, 406)
        assert.deepStrictEqual(codes(yield* query(own)), ["invalid_request"])
      }),
    )
  })
})

/** Adds large records to the log. */
const added = Effect.fnUntraced(function* (count: number) {
  const { commit, list } = yield* Store
  const [row] = yield* list(Records, {}, { limit: 1 })
  const data = { digest: "x".repeat(20_000) }
  const copies = yield* Effect.all(
    times(count, () => Effect.map(newId, (id) => insert(Records, { ...row!, id, type: "audit.sealed", data }))),
  )
  yield* Effect.orDie(commit(copies))
})
