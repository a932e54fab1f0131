import { assert, it } from "@effect/vitest"
import { Effect, Option, Schema, SchemaGetter } from "effect"
import { printType } from "graphql"
import { makeSchema } from "../../../adapters/graphql/schema.ts"
import * as Auth from "../../../application/service/auth.ts"
import * as Endpoint from "../../../application/service/endpoint.ts"
import { bringing, core } from "../../world.ts"
import { overGraphql, overRest, performed } from "./shells.ts"

const Way = Schema.Literals(["browser", "device"])

/** Omits the usual value. */
const Omitted = Schema.optionalKey(Way).pipe(
  Schema.decodeTo(Schema.optionalKey(Way), {
    decode: SchemaGetter.passthrough(),
    encode: SchemaGetter.transformOptional(Option.filter((way) => way !== "browser")),
  }),
)
const Loud = Schema.String.pipe(Schema.decodeTo(Schema.String, { decode: SchemaGetter.toLowerCase(), encode: SchemaGetter.toUpperCase() }))
const Coded = Schema.Literals(["B", "D"]).pipe(
  Schema.decodeTo(Way, {
    decode: SchemaGetter.transform((code) => (code === "B" ? "browser" : "device")),
    encode: SchemaGetter.transform((way) => (way === "browser" ? "B" : "D")),
  }),
)
const Never = Schema.String.pipe(
  Schema.decodeTo(Schema.NullOr(Schema.String), {
    decode: SchemaGetter.transform((text) => (text === "never" ? null : text)),
    encode: SchemaGetter.transform((text) => text ?? "never"),
  }),
)
const output = Schema.Struct({
  usual: Omitted,
  other: Omitted,
  loud: Loud,
  quiet: Schema.NullOr(Loud),
  all: Schema.Array(Loud),
  coded: Coded,
  never: Never,
  one_of: Schema.Union([Loud, Schema.Int]),
  defaulted: Way.pipe(Schema.withDecodingDefaultKey(Effect.succeed("browser" as const))),
})

const ways = Endpoint.make({
  method: "GET",
  path: "/ways",
  summary: "Texts and literals with encodings.",
  access: "public",
  input: Endpoint.NoInput,
  output,
  handler: () =>
    Effect.succeed(
      Endpoint.reply({
        ...({ usual: "browser", other: "device", loud: "ada", quiet: null, all: ["a", "b"] } as const),
        ...({ coded: "device", never: null, one_of: "ada", defaulted: "device" } as const),
      }),
    ),
})
const modules = [...core, bringing(ways)]
const schema = makeSchema(Auth.make(modules))

it.live("both shells encode texts and literals, and leave out what an encoding omits", () =>
  Effect.gen(function* () {
    const [rest] = yield* performed(overRest, modules, [["ways"]])
    const [graphql] = yield* performed(overGraphql(schema), modules, [["ways"]])
    const body = { other: "device", loud: "ADA", all: ["A", "B"], coded: "D", never: "never", one_of: "ADA", defaulted: "device" }
    assert.deepStrictEqual(rest?.body, body)
    assert.deepStrictEqual(graphql, rest)
  }),
)

it("a field has the type of the encoded values, and can be null if the encoding can omit it", () => {
  assert.strictEqual(
    printType(schema.getType("WaysPayload")!),
    [
      "type WaysPayload {",
      "  usual: WaysUsual",
      "  other: WaysOther",
      "  loud: String!",
      "  quiet: String",
      "  all: [String!]!",
      "  coded: WaysCoded!",
      "  never: String!",
      "  oneOf: JSON!",
      "  defaulted: WaysDefaulted!",
      "}",
    ].join("\n"),
  )
})
