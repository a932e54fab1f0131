import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { makeClient, Refused } from "../../../examples/graphql-client/client.ts"
import { graphql } from "../../../examples/graphql-client/graphql.ts"
import { password } from "../../world.ts"
import { port } from "../http/served.ts"
import { graphqlServed } from "./asked.ts"

const root = join(import.meta.dirname, "../../..")
const example = join(root, "examples/graphql-client")

const SignUp = graphql("mutation ($input: SignUpEmailInput!) { signUpEmail(input: $input) { user { id email name } } }")
const Viewer = graphql("{ viewer { user { email emailVerified } accounts { providerId } } }")
const SignOut = graphql("mutation { signOut { success } }")
const Nope = graphql("{ viewer { user { nope } } }")

describe("the example of a generated client", () => {
  it("has the types of docs/schema.graphql; `npm run schema:update` regenerates them", async () => {
    const input = readFileSync(join(root, "docs/schema.graphql"))
    const types = execFileSync(process.execPath, [join(example, "generate.ts")], { input, encoding: "utf8" })
    await expect(types).toMatchFileSnapshot(join(example, "schema.d.ts"))
  })

  layer(graphqlServed(), { excludeTestServices: true })((it) => {
    it.effect("signs up, reads the viewer and signs out with full types", () =>
      Effect.gen(function* () {
        const ask = makeClient(`http://127.0.0.1:${yield* port}/graphql`)
        const story = async () => {
          const { signUpEmail } = await ask(SignUp, { input: { email: "ada@example.com", password } })
          const email: string | undefined = signUpEmail?.user.email
          const name: string | null | undefined = signUpEmail?.user.name
          const { viewer } = await ask(Viewer, {})
          const verified: boolean | undefined = viewer?.user.emailVerified
          const providers: ReadonlyArray<string> | undefined = viewer?.accounts.map(({ providerId }) => providerId)
          await ask(SignOut, {})
          return [email, name, verified, providers, (await ask(Viewer, {})).viewer]
        }
        assert.deepStrictEqual(yield* Effect.promise(story), ["ada@example.com", null, false, ["credential"], null])
      }),
    )

    it.effect("gets the service's error code, and a compile error for an invalid document", () =>
      Effect.gen(function* () {
        const ask = makeClient(`http://127.0.0.1:${yield* port}/graphql`)
        const codeOf = (asked: Promise<unknown>) =>
          Effect.promise(() =>
            asked.then(
              () => "ok",
              (error) => (error instanceof Refused ? error.code : "another error"),
            ),
          )
        assert.strictEqual(yield* codeOf(ask(SignUp, { input: { email: "ada@example.com", password: "short" } })), "password_too_short")
        // @ts-expect-error an address is a text
        assert.strictEqual(yield* codeOf(ask(SignUp, { input: { email: 7, password } })), "invalid_request")
        // @ts-expect-error there is no sign-up without a password
        assert.strictEqual(yield* codeOf(ask(SignUp, { input: { email: "ada@example.com" } })), "invalid_request")
        const unknown = async () => {
          const { viewer } = await ask(Nope, {})
          // @ts-expect-error the schema has no such field
          return viewer?.user.nope.length
        }
        assert.strictEqual(yield* codeOf(unknown()), "invalid_request")
      }),
    )
  })
})
