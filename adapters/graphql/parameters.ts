import type { GraphQLParams } from "graphql-yoga"
import { InvalidRequest } from "../../domain/errors.ts"
import { isJsonObject } from "../../domain/values/json.ts"
import { refusedRequest, UnknownDocument } from "./errors.ts"

/**
 * The parameters of a request of GraphQL over HTTP, from its body. A null member counts as absent. With trusted documents, the document is
 * the one whose id is in the body. Throws a refusal of the request.
 */
export const parametersOf = (body: object, trusted: ReadonlyMap<string, string> | undefined): GraphQLParams => {
  const { query, documentId, operationName, variables, extensions } = body as Readonly<Record<string, unknown>>
  const { persistedQuery } = Object(extensions)
  const id = documentId ?? (isJsonObject(persistedQuery) ? persistedQuery["sha256Hash"] : undefined)
  for (const [member, value] of Object.entries({ query, documentId: id, operationName }))
    if (!isAbsent(value) && typeof value !== "string") throw invalid(`${member}: Expected a text`)
  for (const [member, value] of Object.entries({ variables, extensions }))
    if (!isAbsent(value) && !isJsonObject(value)) throw invalid(`${member}: Expected an object`)

  const document = trusted === undefined ? query : trusted.get(id as string)
  if (typeof document !== "string") throw trusted === undefined ? invalid("query: Missing key") : refusedRequest(new UnknownDocument())
  return {
    query: document,
    variables: isJsonObject(variables) ? variables : {},
    ...(typeof operationName === "string" ? { operationName } : {}),
    ...(isJsonObject(extensions) ? { extensions } : {}),
  }
}

const invalid = (message: string) => refusedRequest(new InvalidRequest({ message }))
const isAbsent = (value: unknown) => value === undefined || value === null
