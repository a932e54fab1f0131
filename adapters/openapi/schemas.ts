import { JsonSchema, Schema, SchemaAST, SchemaRepresentation } from "effect"
import type { AnyEndpoint } from "../../application/service/endpoint.ts"
import { cleaned } from "./clean.ts"
import { type Json, mapValues } from "./json.ts"
import { makeSchemaRestorer } from "./schema-restorer.ts"

/** The schemas of all endpoints, and the named schemas that they share. */
interface Schemas {
  readonly inputs: Readonly<Record<string, Json>>
  readonly outputs: Readonly<Record<string, Json>>
  readonly named: Readonly<Record<string, Json>>
}

/** Converts all schemas at once, so that operations share the named ones. Throws when two schemas have one name. */
export const schemasOf = (endpoints: Readonly<Record<string, AnyEndpoint>>): Schemas => {
  const names = Object.keys(endpoints)
  const all = Object.values(endpoints)
  const [first, ...others] = all.flatMap(({ input, output }) => [SchemaAST.toEncoded(input.ast), Schema.toCodecJson(output).ast])
  if (first === undefined) return { inputs: {}, outputs: {}, named: {} }

  const converted = SchemaRepresentation.toJsonSchemaMultiDocument(SchemaRepresentation.toRepresentations([first, ...others]))
  const { schemas, definitions } = JsonSchema.toMultiDocumentOpenApi3_1(converted)
  assertDistinct(Object.keys(definitions))
  const received = makeSchemaRestorer(definitions, "input")
  const inputs = all.map(({ input }, index) => cleaned(received.restored(schemas[2 * index]!, SchemaAST.toEncoded(input.ast))))
  const sent = makeSchemaRestorer(received.named, "output")
  const outputs = all.map(({ output }, index) => cleaned(sent.restored(schemas[2 * index + 1]!, output.ast)))
  const byName = (list: ReadonlyArray<Json>) => Object.fromEntries(names.map((name, index) => [name, list[index]!]))
  return { inputs: byName(inputs), outputs: byName(outputs), named: mapValues(sent.named, cleaned) }
}

/** The conversion numbers the schemas of one identifier: `User`, `User_1`. */
const assertDistinct = (names: ReadonlyArray<string>) => {
  const numbered = names.find((name) => /_\d+$/.test(name) && names.includes(name.replace(/_\d+$/, "")))
  if (numbered !== undefined) throw new Error(`two schemas have the OpenAPI name ${numbered.replace(/_\d+$/, "")}`)
}
