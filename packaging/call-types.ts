import { Schema, SchemaAST, SchemaRepresentation } from "effect"
import { keyOf, nameOf, typeOf } from "../adapters/client-types/schema-types.ts"
import { cleaned } from "../adapters/openapi/clean.ts"
import type { AnyEndpoint } from "../application/service/endpoint.ts"
import type { AnyModule } from "../application/service/module.ts"
import type { JsonObject } from "../domain/values/json.ts"

// The types of `auth.call`. An application that inferred them from the modules would compile these, and Effect.

/** The JSON of a schema's values. */
const wireOf = (schema: Schema.Top): SchemaAST.AST =>
  SchemaAST.toEncoded(Schema.toCodecJson(Schema.toType(schema as Schema.Codec<unknown>)).ast)

/**
 * `adapters/assembly/calls.generated.ts`: the calls of the core, and of the modules by their keys. `events` are the types of events, which are
 * any text here, since `extensions` have further ones.
 */
export const callTypes = (
  core: ReadonlyArray<AnyModule>,
  named: Readonly<Record<string, AnyModule>>,
  events: ReadonlyArray<string>,
): string => {
  const endpointsOf = (modules: ReadonlyArray<AnyModule>) =>
    modules.flatMap((module): ReadonlyArray<AnyEndpoint> => Object.values(module.endpoints))
  const endpoints = endpointsOf([...core, ...Object.values(named)])
  const asts = endpoints.flatMap(({ input, output }) => [wireOf(input), wireOf(output)])
  const [first, ...rest] = asts
  if (first === undefined) throw new Error("There is no endpoint.")
  const representations = SchemaRepresentation.toRepresentations([first, ...rest])
  const { schemas, definitions } = SchemaRepresentation.toJsonSchemaMultiDocument(representations, { onExcessProperty: "ignore" })
  const callOf = (endpoint: AnyEndpoint) => {
    const at = endpoints.indexOf(endpoint) * 2
    const [input, output] = [at, at + 1].map((each) => (isEmpty(asts[each]) ? "{}" : type(schemas[each])))
    return `readonly ${keyOf(endpoint.name)}: Call<${input}, ${output}>`
  }
  const callsOf = (modules: ReadonlyArray<AnyModule>) => `{ ${endpointsOf(modules).map(callOf).join("; ")} }`
  const ofModules = Object.entries(named).map(([key, module]) => `readonly ${key}: ${callsOf([module])}`)
  return [
    "// Generated from the endpoints by `npm run api:update`.",
    `import type { Call } from "./call.ts"`,
    ...Object.entries(definitions).map(([name, schema]) => `export type ${nameOf(name)} = ${type(schema)}`),
    `/** The operations that are always there. */\nexport interface CoreCalls ${callsOf(core)}`,
    `/** The operations of the modules, by their keys. */\nexport interface ModuleCalls {\n${ofModules.join("\n")}\n}`,
    "",
  ]
    .join("\n\n")
    .replaceAll(typeOf({ enum: events }), "string")
}

/** JSON Schema has no type for an object without members: the conversion accepts lists too. */
const isEmpty = (ast: SchemaAST.AST | undefined) =>
  ast !== undefined && SchemaAST.isObjects(ast) && ast.propertySignatures.length + ast.indexSignatures.length === 0

/** A list that must not be empty is any list, as in `Wire`. */
const asList = (key: string, value: unknown) => (key === "prefixItems" ? undefined : value)

const type = (schema: object | undefined) => typeOf(JSON.parse(JSON.stringify(cleaned((schema ?? {}) as JsonObject)), asList))
