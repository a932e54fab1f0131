import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { pages } from "../../../adapters/pages/pages.ts"
import type { StoreService } from "../../../domain/ports/store.ts"
import { insert, Store } from "../../../domain/ports/store.ts"
import type { AnyTable } from "../../../domain/ports/table.ts"
import { Tallies } from "../../../domain/storage/tally.ts"
import { Users } from "../../../domain/users/tables.ts"
import { modules } from "../../everything.ts"
import { storedUser } from "../../stored-user.ts"
import { base, changed, served } from "../http/served.ts"
import type { Browse } from "./browse.ts"
import { signedUp } from "./browse.ts"
import { modules as modulesWithRoles, root } from "./console/console.ts"

/** The most reads of the store that one page may need. */
const mostReads = 10

/** The read of a session by its token. */
const sessionRead = "readWithReferenced session"

/** The reads since the last answer. */
let reads: Array<string> = []

const counted = <A>(method: keyof StoreService, { name }: AnyTable, read: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.andThen(
    Effect.sync(() => void reads.push(`${method} ${name}`)),
    read,
  )

const counting = changed(Store, (store) => ({
  read: (table, where) => counted("read", table, store.read(table, where)),
  readWithReferenced: (table, where, field) => counted("readWithReferenced", table, store.readWithReferenced(table, where, field)),
  readWithReferencing: (table, where, other, field, rest) =>
    counted("readWithReferencing", table, store.readWithReferencing(table, where, other, field, rest)),
  list: (table, where, options) => counted("list", table, store.list(table, where, options)),
  listForEach: (table, field, values, options) => counted("listForEach", table, store.listForEach(table, field, values, options)),
}))

const withCounting = served({ modules, pages: {}, providers: ["idp_one"], instead: counting })

const linksIn = (html: string) => [...html.matchAll(/href="(\/[^"#]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"))

/** Opens every page, and every address that their links lead to. Returns the reads of each address. */
const crawled = Effect.fnUntraced(function* (their: Browse) {
  const found = new Map<string, ReadonlyArray<string>>()
  const open = pages.map(({ path }) => path)
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || path.startsWith("/assets/")) continue
    reads = []
    const answer = yield* their.request("GET", path)
    found.set(path, reads)
    open.push(...linksIn(answer.text))
  }
  return found
})

describe("pages", () => {
  layer(withCounting)((it) => {
    it.effect(`read the store at most ${mostReads} times, and the session once`, () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const { organization } = yield* ada.api("/organization/create", { name: "Engines", slug: "engines" })
        yield* ada.api("/organization/create-team", { organization_id: organization.id, name: "Looms" })
        const grace = yield* signedUp("grace@example.com")
        const { invitation } = yield* ada.api("/organization/invite", { organization_id: organization.id, email: grace.user.email })
        yield* grace.api("/organization/accept-invitation", { invitation_id: invitation.id })
        yield* ada.api("/organization/invite", { organization_id: organization.id, email: "eve@example.com" })

        const found = yield* crawled(ada)
        const most = [...found].filter(([, made]) => made.length > mostReads || made.filter((read) => read === sessionRead).length > 1)
        assert.deepStrictEqual(most, [])
      }),
    )
  })
})

/** The pages of the console with the most reads that each may need. */
const ofConsole = (id: string) =>
  [
    ["/admin/users", 10],
    [`/admin/user?id=${id}`, 22],
    [`/admin/user/suspend?id=${id}`, 8],
  ] as const

describe("pages of the console", () => {
  layer(served({ modules: modulesWithRoles, pages: { admin: {} }, instead: counting }))((it) => {
    it.effect("read the store a limited number of times, and the session and its rights once", () =>
      Effect.gen(function* () {
        const owner = yield* root
        const ada = yield* signedUp("ada@example.com")
        yield* ada.api("/organization/create", { name: "Engines", slug: "engines" })
        for (const [path, most] of ofConsole(ada.user.id)) {
          reads = []
          yield* owner.request("GET", path)
          assert.isAtMost(reads.length, most, `${path}: ${reads.join(", ")}`)
          assert.deepStrictEqual(
            reads.filter((read) => read === sessionRead || read === "read admin_metadata"),
            [sessionRead],
            path,
          )
        }
      }),
    )
  })
})

/** Adds users, until the store has this many. */
const withUsers = Effect.fnUntraced(function* withUsers(size: number) {
  const { list, commit } = yield* Store
  const { length } = yield* list(Users, {}, { limit: size, order: "id" })
  const added = Array.from({ length: size - length }, (_, at) => storedUser({ id: `user ${length + at}` }))
  yield* Effect.orDie(commit(added.map((user) => insert(Users, user))))
})

describe("the list of users", () => {
  layer(served({ modules: modulesWithRoles, pages: { admin: {} }, instead: counting }))((it) => {
    it.effect(`reads the store at most ${mostReads} times for pages and services of every size`, () =>
      Effect.gen(function* () {
        const owner = yield* root
        const list = `${base}/admin/users/list?details=true&total=true`
        const measured = Effect.fnUntraced(function* measured(size: number, total: object) {
          reads = []
          assert.strictEqual((yield* owner.request("GET", "/admin/users")).status, 200)
          assert.isAtMost(reads.length, mostReads, `page for ${size} users: ${reads.join(", ")}`)
          for (const limit of [25, 50, 100]) {
            reads = []
            const { users, total: counted } = (yield* owner.request("GET", `${list}&limit=${limit}`)).json
            assert.isAtMost(reads.length, mostReads, `${limit} of ${size} users: ${reads.join(", ")}`)
            assert.deepStrictEqual([users.length, counted], [Math.min(limit, size), total])
          }
        })
        for (const size of [10, 60, 1000]) {
          yield* withUsers(size)
          yield* measured(size, { count: size, capped: false })
        }
        yield* withUsers(1001)
        yield* measured(1001, { count: 1000, capped: true })
        const as_of = yield* DateTime.now
        const counts = { counted: 0, place: null, leased_until: null }
        yield* Effect.orDie((yield* Store).commit([insert(Tallies, { id: "user", count: 1001, as_of, ...counts })]))
        yield* measured(1001, { count: 1001, capped: false, as_of: DateTime.formatIso(as_of) })
      }),
    )
  })
})
