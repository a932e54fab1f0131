import { Result } from "effect"
import type { AuthError } from "../../domain/errors.ts"
import { InvalidRequest } from "../../domain/errors.ts"
import { isJsonObject } from "../../domain/values/json-object.ts"

/** The parameters of a request of GraphQL over HTTP. */
export interface Parameters {
  readonly query: string | undefined
  /** The id of a trusted document. */
  readonly documentId: string | undefined
  readonly operationName: string | undefined
  readonly variables: Record<string, unknown>
}

/** Decodes the body. A null member counts as absent. */
export const parametersOf = (body: object): Result.Result<Parameters, AuthError> => {
  const { query, documentId, operationName, variables, extensions } = body as Readonly<Record<string, unknown>>
  const persisted =
    isJsonObject(extensions) && isJsonObject(extensions["persistedQuery"]) ? extensions["persistedQuery"]["sha256Hash"] : undefined
  const texts = { query, documentId: documentId ?? persisted, operationName }
  for (const [member, value] of Object.entries(texts)) if (!isAbsent(value) && typeof value !== "string") return wrong(member, "a text")
  for (const [member, value] of Object.entries({ variables, extensions }))
    if (!isAbsent(value) && !isJsonObject(value)) return wrong(member, "an object")
  return Result.succeed({
    query: textOf(query),
    documentId: textOf(texts.documentId),
    operationName: textOf(operationName),
    variables: isJsonObject(variables) ? variables : {},
  })
}

const wrong = (member: string, wanted: string) => Result.fail(new InvalidRequest({ message: `${member}: Expected ${wanted}` }))
const isAbsent = (value: unknown) => value === undefined || value === null
const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)
