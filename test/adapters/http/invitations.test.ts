import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { organization } from "../../../application/modules/organization/index.ts"
import { core, emails } from "../../world.ts"
import { post, served, signedUp } from "./served.ts"

const modules = [...core, organization.build(Schema.decodeUnknownSync(organization.settings)({}))]

describe("an invitation over HTTP", () => {
  layer(served({ modules }), { excludeTestServices: true })((it) => {
    it.effect("mails no link that its sender put into a name, and states the sender's address", () =>
      Effect.gen(function* () {
        const headers = yield* signedUp("mallory@example.com")
        yield* post("/update-user", { name: "Prize at www.evil.example" }, { headers })
        const created = yield* post("/organization/create", { name: "https://evil.example", slug: "evil" }, { headers })
        const { id: organization_id } = created.json.organization
        yield* post("/organization/invite", { organization_id, email: "ada@example.com" }, { headers })

        const [message] = (yield* emails).filter(({ to }) => to === "ada@example.com")
        assert.isDefined(message)
        for (const part of [message.subject, message.text, message.html]) assert.notInclude(part, "evil.example")
        for (const part of [message.text, message.html]) assert.include(part, "mallory@example.com, not verified")
      }),
    )
  })
})
