import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { organization } from "../../../application/modules/organization/index.ts"
import { Members, Organizations } from "../../../domain/organizations/tables.ts"
import { Sessions } from "../../../domain/sessions/tables.ts"
import { finishRemovals, Removals } from "../../../domain/storage/removals.ts"
import { core, password, rows, times } from "../../world.ts"
import { cookieOf, get, post, refused, served, signedUp } from "./served.ts"

const module = organization.build(Schema.decodeUnknownSync(organization.settings)({ max_per_user: 30, max_teams: 2 }))
const modules = [...core, module]

describe("limits over HTTP", () => {
  layer(served({ modules }))((it) => {
    it.effect("refuse one organization and one team too many, also among 20 concurrent requests", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp()
        const creating = times(40, (index) => post("/organization/create", { name: "Org", slug: `org${index}` }, { headers }))
        const answers = yield* Effect.all(creating, { concurrency: 20 })
        const created = answers.filter(({ status }) => status === 200)
        assert.lengthOf(created, 30)
        for (const answer of answers.filter(({ status }) => status !== 200)) assert.strictEqual(refused(answer), "400 invalid_request")

        const organization_id = created[0]!.json.organization.id
        const team = post("/organization/create-team", { organization_id, name: "Team" }, { headers })
        const teams = yield* Effect.all(
          times(20, () => team),
          { concurrency: 20 },
        )
        assert.lengthOf(
          teams.filter(({ status }) => status === 200),
          2,
        )
      }),
    )

    it.effect("let the owner of many organizations delete their account in one request, and free the address", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("bob@example.com")
        for (const index of times(30, String)) yield* post("/organization/create", { name: "Org", slug: `bob${index}` }, { headers })
        assert.strictEqual((yield* post("/delete-user", { password }, { headers })).status, 200)
        assert.isNull((yield* get("/get-session", { headers })).json.user)
        const again = yield* signedUp("bob@example.com")
        assert.deepStrictEqual((yield* get("/organization/list", { headers: again })).json.organizations, [])

        yield* finishRemovals(modules.flatMap(({ tables }) => tables))
        assert.lengthOf(yield* rows(Removals), 0)
        const owned = new Set((yield* rows(Members)).map(({ organization_id }) => organization_id))
        assert.isTrue((yield* rows(Organizations)).every(({ id }) => owned.has(id)))
      }),
    )
  })

  layer(served({ settings: { session: { max_per_user: 2 } } }))((it) => {
    it.effect("end the oldest session of a user who signs in once more", () =>
      Effect.gen(function* () {
        const oldest = yield* signedUp()
        const signIn = Effect.map(post("/sign-in/email", { email: "ada@example.com", password }), (answer) => ({
          cookie: cookieOf(answer),
        }))
        const [second, third] = [yield* signIn, yield* signIn]
        const users = yield* Effect.forEach([oldest, second, third], (headers) => get("/get-session", { headers }))
        assert.deepStrictEqual(
          users.map(({ json }) => json.user !== null),
          [false, true, true],
        )
        assert.lengthOf(yield* rows(Sessions), 2)
      }),
    )
  })
})
